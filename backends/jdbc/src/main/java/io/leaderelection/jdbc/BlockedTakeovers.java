package io.leaderelection.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import org.jspecify.annotations.Nullable;

/**
 * Elections whose lease has expired while an open transaction locks their epoch row. Such
 * a transaction usually ends within a moment. If it lasts longer than a lease, its
 * session is looked up where the database shows it, and the takeover is retried less
 * often.
 */
final class BlockedTakeovers {

	/** When to ask again at first. */
	static final Duration SOON = Duration.ofMillis(50);

	private static final int LATER_PART = 10;

	private final Map<String, Long> since = new ConcurrentHashMap<>();

	/** The lease was granted, or has a holder. */
	void ended(String election) {
		this.since.remove(election);
	}

	AcquireResult.Held held(StoreConnection connection, LeaseStatements statements, AcquireRequest candidacy,
			@Nullable StoredLease lease) {
		long now = System.nanoTime();
		long first = this.since.computeIfAbsent(candidacy.election(), (absent) -> now);
		boolean lasts = now - first >= candidacy.duration().toNanos();
		Duration later = candidacy.duration().dividedBy(LATER_PART);
		Duration remaining = (lasts && later.compareTo(SOON) > 0) ? later : SOON;
		String table = statements.tables().epoch();
		String by = lasts ? blocker(connection, statements, candidacy.election())
				: "An open transaction has locked its row in %s".formatted(table);
		return (lease != null) ? lease.contested(remaining, candidacy, by)
				: new AcquireResult.Held(Optional.empty(), 0, remaining, candidacy.duration(), Optional.of(by));
	}

	private static String blocker(StoreConnection connection, LeaseStatements statements, String election) {
		String locked = "has locked its row in %s for longer than a lease".formatted(statements.tables().epoch());
		String query = statements.blockingSession();
		if (query == null) {
			return "An open transaction %s. Find its session in the lock views of the database, and end it"
				.formatted(locked);
		}
		try {
			List<String> blockers = connection.query(query, (row) -> blocker(row, locked), List.of(election));
			return blockers.isEmpty()
					? "An open transaction %s, and has no session. Look it up in pg_prepared_xacts".formatted(locked)
					: blockers.get(0);
		}
		catch (SQLException ex) {
			return "An open transaction %s. Its session could not be looked up: %s".formatted(locked, ex.getMessage());
		}
	}

	private static String blocker(ResultSet row, String locked) throws SQLException {
		int pid = row.getInt("pid");
		return ("The transaction of %ssession %d (user %s, application %s, client %s, %s for %d s) %s. To end it: "
				+ "SELECT pg_terminate_backend(%d)")
			.formatted(row.getBoolean("CERTAIN") ? "" : "probably ", pid, row.getString("usename"),
					row.getString("application_name"), row.getString("client_addr"), row.getString("state"),
					row.getLong("SECONDS"), locked, pid);
	}

}
