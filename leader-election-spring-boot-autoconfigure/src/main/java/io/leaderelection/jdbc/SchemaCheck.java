package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * Executes each statement of the store for an election that cannot exist.
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
		this.connection.run(this.statements.look(1), List.of(NOBODY, NOBODY));
		if (this.statements.looksAndTakes()) {
			this.connection.run(this.statements.lookAndTake(1),
					List.of(NOBODY, 0L, 0L, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY, NOBODY));
		}
		this.connection.run(this.statements.read(), List.of(NOBODY));
		this.connection.update(this.statements.prolongAll(1), List.of(NOBODY, NOBODY, NOBODY, 0L, 0L));
		this.connection.run(this.statements.release(1), List.of(NOBODY, NOBODY, NOBODY, 0L));
		this.connection.run(this.statements.transfer(), List.of(NOBODY, 0L, 0L, NOBODY, NOBODY, NOBODY, 0L));
		this.connection.update(this.statements.rewrite(), List.of(0L, NOBODY, NOBODY, 0L, 0L, NOBODY, 0L));
		this.connection.update(this.statements.raiseEpoch(), List.of(0L, NOBODY, 0L));
		this.connection.update(this.statements.standBy(1), List.of(0L, NOBODY, NOBODY));
		this.connection.update(this.statements.leaveStandby(1), List.of(NOBODY, NOBODY));
		for (String table : List.of(tables.lease(), tables.epoch(), tables.candidate())) {
			this.connection.update(this.statements.insertNothing(table), List.of());
		}
		if (this.statements.sessions().proof() != null) {
			this.connection.update(this.statements.quarantine(), List.of(0L, 0L, NOBODY, 0L));
		}
		this.connection.inTransaction(() -> {
			this.connection.run(this.statements.lockEpochs(1), List.of(NOBODY));
			return false;
		});
	}

}
