package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * A connection of the store's own for the length of one call, in auto-commit mode, with
 * timeouts. It goes back as it came.
 *
 * <p>
 * Plain JDBC on purpose: Spring's templates take part in the transaction of the thread
 * that they are called on.
 */
final class StoreConnection implements AutoCloseable {

	private static final int UNCHANGED = -1;

	/** The database's own timeout should come first: it leaves the connection usable. */
	private static final int NETWORK_GRACE_MILLIS = 1000;

	private final Connection connection;

	private final int queryTimeout;

	private final boolean autoCommit;

	private final int networkTimeout;

	private StoreConnection(Connection connection, int queryTimeout) throws SQLException {
		this.connection = connection;
		this.queryTimeout = queryTimeout;
		this.autoCommit = connection.getAutoCommit();
		if (!this.autoCommit) {
			connection.setAutoCommit(true);
		}
		this.networkTimeout = limitNetworkTimeout(connection, queryTimeout * 1000 + NETWORK_GRACE_MILLIS);
	}

	static StoreConnection open(DataSource dataSource, Duration queryTimeout) throws SQLException {
		Connection connection = dataSource.getConnection();
		try {
			return new StoreConnection(connection, seconds(queryTimeout));
		}
		catch (SQLException | RuntimeException ex) {
			try (connection) {
				throw ex;
			}
		}
	}

	static int seconds(Duration queryTimeout) {
		return (int) -Math.floorDiv(-queryTimeout.toMillis(), 1000L);
	}

	/** A server that went silent would otherwise hold the connection for many minutes. */
	private static int limitNetworkTimeout(Connection connection, int limit) throws SQLException {
		try {
			int present = connection.getNetworkTimeout();
			if (present > 0 && present <= limit) {
				return UNCHANGED;
			}
			connection.setNetworkTimeout(Runnable::run, limit);
			return present;
		}
		catch (SQLFeatureNotSupportedException ex) {
			return UNCHANGED;
		}
	}

	String productName() throws SQLException {
		return this.connection.getMetaData().getDatabaseProductName();
	}

	@Nullable String url() throws SQLException {
		return this.connection.getMetaData().getURL();
	}

	/** The row with the highest token of an election. */
	EpochRow epoch(LeaseStatements statements, String election) {
		return new EpochRow(this.connection, statements, election, this.queryTimeout);
	}

	/**
	 * Makes sure that the session lives that leases are to be bound to, if any, and on
	 * this server.
	 */
	void requireSession(LeaseStatements statements) throws SQLException {
		String proof = statements.sessions().proof();
		if (proof != null && !query(proof, (row) -> row.getBoolean(1), List.of()).get(0)) {
			throw new SessionEndedException();
		}
	}

	<T> List<T> query(String sql, Row<T> row, List<?> parameters) throws SQLException {
		return execute(sql, (statement) -> {
			setParameters(statement, parameters);
			List<T> rows = new ArrayList<>();
			try (ResultSet results = statement.executeQuery()) {
				while (results.next()) {
					rows.add(row.read(results));
				}
			}
			return rows;
		});
	}

	int update(String sql, List<?> parameters) throws SQLException {
		return execute(sql, (statement) -> {
			setParameters(statement, parameters);
			return statement.executeUpdate();
		});
	}

	/** Executes a statement that may or may not give rows; nobody wants to know. */
	void run(String sql, List<?> parameters) throws SQLException {
		execute(sql, (statement) -> {
			setParameters(statement, parameters);
			return statement.execute();
		});
	}

	/**
	 * Executes a statement once for each list of parameters, in one round trip if the
	 * driver can.
	 */
	int[] batch(String sql, List<? extends List<?>> rows) throws SQLException {
		if (rows.isEmpty()) {
			return new int[0];
		}
		if (rows.size() == 1) {
			return new int[] { update(sql, rows.get(0)) };
		}
		return execute(sql, (statement) -> {
			for (List<?> row : rows) {
				setParameters(statement, row);
				statement.addBatch();
			}
			return statement.executeBatch();
		});
	}

	/**
	 * Does the work in one short transaction that sees what others have committed,
	 * whatever the connection's default is.
	 * @param work says whether to commit
	 * @return what the work said
	 */
	boolean inTransaction(Work<Boolean> work) throws SQLException {
		int isolation = this.connection.getTransactionIsolation();
		if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
			return inPresentIsolation(work);
		}
		this.connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		return finallyRestore(() -> inPresentIsolation(work), () -> this.connection.setTransactionIsolation(isolation));
	}

	private boolean inPresentIsolation(Work<Boolean> work) throws SQLException {
		this.connection.setAutoCommit(false);
		return finallyRestore(() -> {
			try {
				boolean commit = work.perform();
				if (commit) {
					this.connection.commit();
				}
				else {
					this.connection.rollback();
				}
				return commit;
			}
			catch (SQLException | RuntimeException ex) {
				rollback(ex);
				throw ex;
			}
		}, () -> this.connection.setAutoCommit(true));
	}

	/** Going back to auto-commit commits what a rollback has failed to undo. */
	private void rollback(Exception cause) throws SQLException {
		try {
			this.connection.rollback();
		}
		catch (SQLException ex) {
			cause.addSuppressed(ex);
			this.connection.abort(Runnable::run);
		}
	}

	private <T> T execute(String sql, Execution<T> execution) throws SQLException {
		if (Thread.currentThread().isInterrupted()) {
			throw new SQLException("Interrupted");
		}
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			int before = statement.getQueryTimeout();
			statement.setQueryTimeout(this.queryTimeout);
			// H2 keeps it for all statements of the connection
			return finallyRestore(() -> execution.execute(statement), () -> statement.setQueryTimeout(before));
		}
	}

	/** Like {@code finally}, but a failure to restore does not hide the first one. */
	private <T> T finallyRestore(Work<T> work, Restoring restoring) throws SQLException {
		T result;
		try {
			result = work.perform();
		}
		catch (SQLException | RuntimeException ex) {
			try {
				if (!this.connection.isClosed()) {
					restoring.restore();
				}
			}
			catch (SQLException later) {
				ex.addSuppressed(later);
			}
			throw ex;
		}
		restoring.restore();
		return result;
	}

	private static void setParameters(PreparedStatement statement, List<?> parameters) throws SQLException {
		int index = 1;
		for (Object parameter : parameters) {
			if (parameter instanceof Long number) {
				statement.setLong(index++, number);
			}
			else {
				statement.setString(index++, (String) parameter);
			}
		}
	}

	@Override
	public void close() throws SQLException {
		try (Connection closing = this.connection) {
			if (closing.isClosed()) {
				return;
			}
			if (this.networkTimeout != UNCHANGED) {
				closing.setNetworkTimeout(Runnable::run, this.networkTimeout);
			}
			if (!this.autoCommit) {
				closing.setAutoCommit(false);
			}
		}
	}

	/**
	 * Reads a row.
	 *
	 * @param <T> what it becomes
	 */
	interface Row<T> {

		T read(ResultSet row) throws SQLException;

	}

	/**
	 * What is done with the connection.
	 *
	 * @param <T> what comes of it
	 */
	interface Work<T> {

		T perform() throws SQLException;

	}

	private interface Restoring {

		void restore() throws SQLException;

	}

	private interface Execution<T> {

		T execute(PreparedStatement statement) throws SQLException;

	}

}
