package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StatementParameters;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.store.AcquireRequest;

/**
 * The elections for which a node is a candidate. Each has one row, which is rewritten
 * when half of its validity has passed. The next candidate deletes expired rows.
 */
final class CandidateRows {

	private final StoreConnection connection;

	private final LeaseStatements statements;

	private final String nodeId;

	CandidateRows(StoreConnection connection, LeaseStatements statements, String nodeId) {
		this.connection = connection;
		this.statements = statements;
		this.nodeId = nodeId;
	}

	void remember(List<AcquireRequest> refused, Map<String, StoredLease> seen) throws SQLException {
		List<AcquireRequest> unknown = new ArrayList<>();
		Map<Long, List<AcquireRequest>> stale = new TreeMap<>();
		for (AcquireRequest candidacy : refused) {
			StoredLease lease = seen.get(candidacy.election());
			if (lease != null && lease.standbyUntil() == null) {
				unknown.add(candidacy);
			}
			else if (lease != null && lease.needsStandby(candidacy)) {
				stale.computeIfAbsent(StoredLease.standby(candidacy.duration()), (key) -> new ArrayList<>())
					.add(candidacy);
			}
		}
		for (Map.Entry<Long, List<AcquireRequest>> entry : stale.entrySet()) {
			extend(entry.getValue(), entry.getKey());
		}
		if (!unknown.isEmpty()) {
			insert(unknown);
		}
	}

	private void extend(List<AcquireRequest> stale, long duration) throws SQLException {
		StatementParameters parameters = new StatementParameters().add(duration).add(this.nodeId);
		int count = parameters.addPadded(stale, (candidacy) -> List.of(candidacy.election()));
		this.connection.update(this.statements.standBy(count), parameters.list());
	}

	private void insert(List<AcquireRequest> unknown) throws SQLException {
		StatementParameters elections = new StatementParameters();
		int count = elections.addPadded(unknown, (candidacy) -> List.of(candidacy.election()));
		List<List<Object>> rows = unknown.stream()
			.map((candidacy) -> List.<Object>of(candidacy.election(), this.nodeId,
					StoredLease.standby(candidacy.duration())))
			.toList();
		try {
			this.connection.inTransaction(() -> {
				this.connection.update(this.statements.forgetStandby(count), elections.list());
				this.connection.batch(this.statements.insertStandby(), rows);
				return true;
			});
		}
		catch (SQLException ex) {
			if (!SqlFailures.isDuplicateKey(ex)) {
				throw ex;
			}
			// another process with the same node id; the next look will see its rows
		}
	}

	void leave(List<String> elections) throws SQLException {
		if (elections.isEmpty()) {
			return;
		}
		StatementParameters parameters = new StatementParameters().add(this.nodeId);
		int count = parameters.addPadded(elections, (election) -> List.of(election));
		this.connection.update(this.statements.leaveStandby(count), parameters.list());
	}

}
