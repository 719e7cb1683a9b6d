package io.leaderelection.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * A lease beside one of those who stand by for it, if anybody does.
 */
record ViewRow(long token, @Nullable Owner owner, long expiresAt, long duration, long now, @Nullable String candidate) {

	static ViewRow from(ResultSet row) throws SQLException {
		String nodeId = row.getString("OWNER_NODE");
		String incarnation = row.getString("OWNER_INCARNATION");
		return new ViewRow(StoredLease.number(row, "TOKEN"),
				(nodeId != null && incarnation != null) ? new Owner(nodeId, SessionMark.without(incarnation)) : null,
				StoredLease.number(row, "EXPIRES_AT"), StoredLease.number(row, "LEASE_DURATION"),
				row.getLong("DATABASE_TIME"), row.getString("NODE_ID"));
	}

	boolean makesSense() {
		return StoredLease.makesSense(this.token, this.expiresAt, this.duration, this.now);
	}

	static LeaseView view(List<ViewRow> rows) {
		ViewRow lease = rows.get(0);
		boolean held = lease.expiresAt > lease.now;
		List<String> candidates = rows.stream().map(ViewRow::candidate).filter(Objects::nonNull).sorted().toList();
		return new LeaseView(held ? Optional.ofNullable(lease.owner) : Optional.empty(), lease.token,
				held ? StoredLease.micros(lease.expiresAt - lease.now) : Duration.ZERO, candidates);
	}

}
