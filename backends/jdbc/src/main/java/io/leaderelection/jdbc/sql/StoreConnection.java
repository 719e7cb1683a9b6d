package io.leaderelection.jdbc.sql;

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
 * A connection of the store for the length of one call, in auto-commit mode, with
 * timeouts. Its settings are restored when it is closed.
 *
 * <p>
 * This is plain JDBC because Spring's templates join the transaction of the calling
 * thread. Internal.
 */
public final class StoreConnection implements AutoCloseable {

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

	public static StoreConnection open(DataSource dataSource, Duration queryTimeout) throws SQLException {
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

	public static int seconds(Duration queryTimeout) {
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

	public String productName() throws SQLException {
		return this.connection.getMetaData().getDatabaseProductName();
	}

	public @Nullable String url() throws SQLException {
		return this.connection.getMetaData().getURL();
	}

	/** The connection itself, for statements with a timeout of their own. */
	public Connection connection() {
		return this.connection;
	}

	public <T> List<T> query(String sql, Row<T> row, List<?> parameters) throws SQLException {
		return execute(sql, parameters, (statement) -> {
			List<T> rows = new ArrayList<>();
			try (ResultSet results = statement.executeQuery()) {
				while (results.next()) {
					rows.add(row.read(results));
				}
			}
			return rows;
		});
	}

	public int update(String sql, List<?> parameters) throws SQLException {
		return execute(sql, parameters, PreparedStatement::executeUpdate);
	}

	/** Executes a statement, and ignores the rows that it may return. */
	public void run(String sql, List<?> parameters) throws SQLException {
		execute(sql, parameters, PreparedStatement::execute);
	}

	/**
	 * Executes a statement once for each list of parameters, in one round trip if the
	 * driver can.
	 */
	public int[] batch(String sql, List<? extends List<?>> rows) throws SQLException {
		if (rows.isEmpty()) {
			return new int[0];
		}
		if (rows.size() == 1) {
			return new int[] { update(sql, rows.get(0)) };
		}
		return execute(sql, List.of(), (statement) -> {
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
	 * @param work returns whether to commit
	 * @return the same
	 */
	public boolean inTransaction(Work<Boolean> work) throws SQLException {
		int isolation = this.connection.getTransactionIsolation();
		if (isolation == Connection.TRANSACTION_READ_COMMITTED) {
			return inPresentIsolation(work);
		}
		this.connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		return finallyRestore(this.connection, () -> inPresentIsolation(work),
				() -> this.connection.setTransactionIsolation(isolation));
	}

	private boolean inPresentIsolation(Work<Boolean> work) throws SQLException {
		this.connection.setAutoCommit(false);
		return finallyRestore(this.connection, () -> {
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

	private <T> T execute(String sql, List<?> parameters, Execution<T> execution) throws SQLException {
		if (Thread.currentThread().isInterrupted()) {
			throw new SQLException("Interrupted");
		}
		return execute(this.connection, this.queryTimeout, sql, parameters, execution);
	}

	/** Executes a statement with a timeout, in the transaction of the connection. */
	public static <T> T execute(Connection connection, int queryTimeout, String sql, List<?> parameters,
			Execution<T> execution) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			int before = statement.getQueryTimeout();
			statement.setQueryTimeout(queryTimeout);
			// H2 keeps the timeout for all statements of the connection
			return finallyRestore(connection, () -> {
				setParameters(statement, parameters);
				return execution.execute(statement);
			}, () -> statement.setQueryTimeout(before));
		}
	}

	/** Like {@code finally}, but a failure to restore does not hide the first one. */
	private static <T> T finallyRestore(Connection connection, Work<T> work, Restoring restoring) throws SQLException {
		T result;
		try {
			result = work.perform();
		}
		catch (SQLException | RuntimeException ex) {
			try {
				if (!connection.isClosed()) {
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
	 * @param <T> the result
	 */
	public interface Row<T> {

		T read(ResultSet row) throws SQLException;

	}

	/**
	 * Uses the connection.
	 *
	 * @param <T> the result
	 */
	public interface Work<T> {

		T perform() throws SQLException;

	}

	private interface Restoring {

		void restore() throws SQLException;

	}

	/**
	 * Executes a statement.
	 *
	 * @param <T> the result
	 */
	public interface Execution<T> {

		T execute(PreparedStatement statement) throws SQLException;

	}

}
