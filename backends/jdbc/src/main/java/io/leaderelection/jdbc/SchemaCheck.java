package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * Executes each statement of the store for an election that cannot exist. In place of
 * inserts it executes those of nothing, which need the same columns and rights.
 */
final class SchemaCheck {

	/** Names are never blank. */
	static final String NOBODY = " ";

	private final StoreConnection connection;

	private final LeaseStatements statements;

	SchemaCheck(StoreConnection connection, LeaseStatements statements) {
		this.connection = connection;
		this.statements = statements;
	}

	void run() throws SQLException {
		LeaseTables tables = this.statements.tables();
		execute(this.statements.now(), List.of());
		execute(this.statements.look(1), List.of(NOBODY, NOBODY));
		if (this.statements.looksAndTakes()) {
			execute(this.statements.lookAndTake(1),
					List.of(NOBODY, 0L, 0L, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY));
		}
		execute(this.statements.read(), List.of(NOBODY));
		execute(this.statements.prolong(), List.of(0L, 0L, NOBODY, NOBODY, NOBODY, 0L));
		execute(this.statements.prolongAll(1), List.of(NOBODY, NOBODY, NOBODY, 0L, 0L));
		execute(this.statements.release(1), List.of(NOBODY, NOBODY, NOBODY, 0L));
		execute(this.statements.transfer(), List.of(NOBODY, 0L, 0L, NOBODY, NOBODY, NOBODY, 0L));
		execute(this.statements.take(), List.of(0L, NOBODY, NOBODY, 0L, 0L, NOBODY, 0L, NOBODY));
		execute(this.statements.rewrite(), List.of(0L, NOBODY, NOBODY, 0L, 0L, NOBODY, 0L));
		execute(this.statements.readEpochs(1), List.of(NOBODY));
		execute(this.statements.raiseEpoch(), List.of(0L, NOBODY, 0L));
		execute(this.statements.standBy(1), List.of(0L, NOBODY, NOBODY));
		execute(this.statements.leaveStandby(1), List.of(NOBODY, NOBODY));
		execute(this.statements.forgetStandby(1), List.of(NOBODY));
		for (String table : List.of(tables.lease(), tables.epoch(), tables.candidate())) {
			execute(this.statements.insertNothing(table), List.of());
		}
		if (this.statements.sessions().proof() != null) {
			execute(this.statements.quarantine(), List.of(0L, 0L, NOBODY, 0L));
		}
		this.connection.inTransaction(() -> {
			execute(this.statements.lockEpochs(1), List.of(NOBODY));
			return false;
		});
	}

	private void execute(String sql, List<?> parameters) throws SQLException {
		this.connection.run(sql, parameters);
	}

}
