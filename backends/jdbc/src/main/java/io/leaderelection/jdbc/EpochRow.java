package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StoreConnection;
import org.jspecify.annotations.Nullable;

/**
 * The row with the highest token of one election, on a connection and in a transaction of
 * the caller.
 */
final class EpochRow {

	/** Tokens are greater. */
	private static final long NONE = 0;

	private final Connection connection;

	private final LeaseStatements statements;

	private final String election;

	private final int queryTimeout;

	EpochRow(Connection connection, LeaseStatements statements, String election, int queryTimeout) {
		this.connection = connection;
		this.statements = statements;
		this.election = election;
		this.queryTimeout = queryTimeout;
	}

	/** The token as this transaction sees it; zero if there is none. */
	long read() throws SQLException {
		return execute(this.statements.readEpochs(1), (statement) -> token(statement, 2), this.election);
	}

	/**
	 * The current token, which until the end of the transaction no other one can raise;
	 * zero if there is none, and then nothing is locked.
	 */
	long lock() throws SQLException {
		return lock(null);
	}

	/** The same, and limits how long the transaction may be idle from now on. */
	long lock(@Nullable Duration idleLimit) throws SQLException {
		return execute(this.statements.lockEpochShared(idleLimit), (statement) -> token(statement, 1), this.election);
	}

	/**
	 * Writes the token if it is higher than the present one, or the first. Without effect
	 * if another transaction writes the first one at the same time.
	 */
	void raise(long token) throws SQLException {
		String raiseOrInsert = this.statements.raiseOrInsertEpoch();
		if (raiseOrInsert != null) {
			execute(raiseOrInsert, PreparedStatement::executeUpdate, this.election, token);
		}
		else if (execute(this.statements.raiseEpoch(), PreparedStatement::executeUpdate, token, this.election,
				token) == 0 && lock() == NONE) {
			insert(token);
		}
	}

	private void insert(long token) throws SQLException {
		try {
			execute(this.statements.insertEpoch(), PreparedStatement::executeUpdate, this.election, token);
		}
		catch (SQLException ex) {
			if (!SqlFailures.isDuplicateKey(ex)) {
				throw ex;
			}
		}
	}

	private static long token(PreparedStatement statement, int column) throws SQLException {
		try (ResultSet rows = statement.executeQuery()) {
			return rows.next() ? rows.getLong(column) : NONE;
		}
	}

	private <T> T execute(String sql, StoreConnection.Execution<T> execution, Object... parameters)
			throws SQLException {
		return StoreConnection.execute(this.connection, this.queryTimeout, sql, List.of(parameters), execution);
	}

}
