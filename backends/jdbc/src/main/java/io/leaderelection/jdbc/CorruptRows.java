package io.leaderelection.jdbc;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.store.LeaseStoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports rows that no store has written. Each is logged once until it is valid again. A
 * corrupt row affects no election but its own.
 */
final class CorruptRows {

	private static final Log logger = LogFactory.getLog(CorruptRows.class);

	private final LeaseTables tables;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	CorruptRows(LeaseTables tables) {
		this.tables = tables;
	}

	void reportInvalid(StoredLease lease) {
		warn(lease.election(), message(lease.election(), lease.token(), lease.expiresAt(), lease.duration()));
	}

	void reportExhausted(String election) {
		warn(election, "Election '%s' has no leader: there is no token above %d. Correct TOKEN in %s and %s"
			.formatted(election, Long.MAX_VALUE - 1, this.tables.lease(), this.tables.epoch()));
	}

	private void warn(String election, String message) {
		if (this.known.add(election)) {
			logger.warn(message);
		}
	}

	void clear(String election) {
		this.known.remove(election);
	}

	LeaseStoreException exception(String election, StoredLease.ViewRow row) {
		return new LeaseStoreException(message(election, row.token(), row.expiresAt(), row.duration()));
	}

	private String message(String election, long token, long expiresAt, long duration) {
		return ("The row of election '%s' in %s makes no sense, so that nobody is elected unless its holder writes it "
				+ "again: TOKEN %d, EXPIRES_AT %d, LEASE_DURATION %d. Set EXPIRES_AT to 0 when nobody leads any more")
			.formatted(election, this.tables.lease(), token, expiresAt, duration);
	}

}
