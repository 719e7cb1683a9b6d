package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import javax.sql.DataSource;

import io.leaderelection.FencingToken;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.StaleTokens;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps a former leader's transactions from being committed. The highest token of each
 * election is a row in the same database; whoever has checked its token keeps that row
 * locked, shared with others of the same token, until its transaction has ended. So a
 * transaction that has passed is committed before anybody with a higher token passes, and
 * one that has not passed is not committed.
 *
 * <p>
 * Elections that live in the same tables write the row when they grant a lease: a
 * takeover waits until the transactions that have passed are over. Elections that live
 * elsewhere do not know it; there the first {@link #announce} or {@link #check} of a new
 * leader writes the row. Before that, the former leader's transactions still pass.
 */
public final class JdbcFence implements Fence {

	private static final int ATTEMPTS = 4;

	private final DataSource dataSource;

	private final LeaseDatabase database;

	private final int queryTimeout;

	private final @Nullable StaleTokens staleTokens;

	private final Function<String, @Nullable Duration> leaseDuration;

	private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();

	/** What the rows were seen to have at least: saves a look, and decides nothing. */
	private final Map<String, Long> seen = new ConcurrentHashMap<>();

	private JdbcFence(Builder builder) {
		this.dataSource = JdbcLeaseStore.Builder.unproxied(builder.dataSource);
		this.database = new LeaseDatabase(this.dataSource, new LeaseTables(builder.tableName), builder.queryTimeout,
				builder.dialect);
		this.queryTimeout = StoreConnection.seconds(builder.queryTimeout);
		this.staleTokens = builder.staleTokens;
		this.leaseDuration = builder.leaseDuration;
	}

	/**
	 * Prepares a fence.
	 * @param dataSource the data source of the transactions, which has the table
	 * @return a builder
	 */
	public static Builder on(DataSource dataSource) {
		return new Builder(dataSource);
	}

	/**
	 * Lets the transaction of this thread pass, unless a higher token has passed before,
	 * and keeps higher ones out until it ends. Best done right before the commit: a
	 * takeover has to wait for it.
	 * @param token the token of the leadership that the transaction is done under
	 * @throws StaleLeaderException if a higher token has passed; the transaction must be
	 * rolled back
	 * @throws IllegalStateException if this thread has no transaction on the data source:
	 * what has passed would not be kept until the commit
	 * @throws DataAccessException if the database does not answer, or refuses to lock a
	 * row that has changed since the transaction began; it will then refuse to commit
	 */
	@Override
	public void check(FencingToken token) {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			throw noTransaction();
		}
		if (checkInProcess(token)) {
			return;
		}
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			if (connection.getAutoCommit()) {
				throw noTransaction();
			}
			long newest = lock(connection, token);
			if (newest > token.value()) {
				throw refusal(token, newest);
			}
		}
		catch (SQLException ex) {
			RuntimeException failure = failure("check the token of '%s'".formatted(token.election()), ex);
			if (failure instanceof ConcurrencyFailureException && this.staleTokens != null) {
				// the row has changed since the transaction began, most likely by a newer
				// leader
				this.staleTokens.suspect(token);
			}
			throw failure;
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private long lock(Connection connection, FencingToken token) throws SQLException {
		EpochRow row = row(connection, statements(connection.getMetaData().getDatabaseProductName()),
				requireTellable(token.election()));
		// a shared lock that is to become an exclusive one would wait for the other's
		boolean raised = !isSeen(token) && row.read() < token.value();
		if (raised) {
			row.raise(token.value());
		}
		Duration idleLimit = this.leaseDuration.apply(token.election());
		long newest = row.lock(idleLimit);
		for (int i = 0; newest < token.value() && i < ATTEMPTS; i++) {
			// the row has been deleted
			raised = true;
			row.raise(token.value());
			newest = row.lock(idleLimit);
		}
		requireReached(newest, token);
		if (!raised) {
			saw(token.election(), newest);
		}
		return newest;
	}

	/**
	 * Keeps lower tokens out from now on, in a short transaction of its own. A new leader
	 * whose election does not live in this database does so before it reads what it is
	 * going to change: what it has read is then not changed by a former leader.
	 * @param token the token of the new leadership
	 * @throws StaleLeaderException if a higher token has passed
	 * @throws DataAccessException if the database does not answer
	 */
	public void announce(FencingToken token) {
		if (checkInProcess(token) || isSeen(token)) {
			return;
		}
		long newest;
		try (StoreConnection connection = this.database.open()) {
			EpochRow row = row(connection.connection(), statements(connection.productName()),
					requireTellable(token.election()));
			newest = row.read();
			for (int i = 0; newest < token.value() && i < ATTEMPTS; i++) {
				connection.inTransaction(() -> {
					row.raise(token.value());
					return true;
				});
				newest = row.read();
			}
			requireReached(newest, token);
		}
		catch (SQLException ex) {
			throw failure("announce the token of '%s'".formatted(token.election()), ex);
		}
		saw(token.election(), newest);
		if (newest > token.value()) {
			throw refusal(token, newest);
		}
	}

	private void requireReached(long newest, FencingToken token) throws SQLException {
		if (newest < token.value()) {
			throw new SQLException("The row of '%s' in %s does not keep the token %d".formatted(token.election(),
					this.database.tables().epoch(), token.value()));
		}
	}

	/**
	 * Tries whether the table is there and may be used, without changing anything.
	 * @throws UnusableDatabaseException if not
	 * @throws DataAccessException if the database could not be asked
	 */
	public void validate() {
		if (isInProcess()) {
			return;
		}
		try (StoreConnection connection = this.database.open()) {
			LeaseStatements sql = statements(connection.productName());
			try {
				EpochRow probe = row(connection.connection(), sql, StoreCheck.PROBE);
				connection.inTransaction(() -> {
					probe.raise(1);
					probe.lock();
					return false;
				});
			}
			catch (SQLException ex) {
				RuntimeException failure = failure("check the table of the fence", ex);
				throw (failure instanceof UnusableDatabaseException || !SqlFailures.isStatementRefused(ex)) ? failure
						: UnusableDatabaseException.refusedFence(sql.dialect(), ex);
			}
		}
		catch (SQLException ex) {
			throw failure("check the table of the fence", ex);
		}
	}

	/**
	 * Tries whether the table is there, in the transaction of this thread, which can go
	 * on if it is not.
	 */
	void validateWithinTransaction() {
		if (isInProcess()) {
			return;
		}
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			LeaseStatements sql = statements(connection.getMetaData().getDatabaseProductName());
			Savepoint before = connection.setSavepoint();
			try {
				row(connection, sql, StoreCheck.PROBE).lock();
			}
			catch (SQLException ex) {
				connection.rollback(before);
				throw ex;
			}
		}
		catch (SQLException ex) {
			throw failure("check the table of the fence", ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private EpochRow row(Connection connection, LeaseStatements sql, String election) {
		return new EpochRow(connection, sql, election, this.queryTimeout);
	}

	private LeaseStatements statements(String product) {
		return this.database.statements(product, UnusableDatabaseException::noFenceFor);
	}

	private String requireTellable(String election) {
		JdbcDialect dialect = this.database.dialect();
		if (dialect != null && !dialect.tellsNamesApart(election)) {
			throw new IllegalArgumentException("%s cannot tell the election '%s' from one without the spaces at the end"
				.formatted(dialect, election));
		}
		return election;
	}

	private boolean isInProcess() {
		return this.staleTokens != null && this.staleTokens.isInProcess();
	}

	private boolean checkInProcess(FencingToken token) {
		return this.staleTokens != null && this.staleTokens.checkInProcess(token);
	}

	private boolean isSeen(FencingToken token) {
		Long newest = this.seen.get(token.election());
		return newest != null && newest == token.value();
	}

	private void saw(String election, long newest) {
		this.seen.merge(election, newest, Math::max);
	}

	private StaleLeaderException refusal(FencingToken token, long newest) {
		StaleLeaderException refusal = new StaleLeaderException(token, new FencingToken(token.election(), newest));
		return (this.staleTokens != null) ? this.staleTokens.refused(refusal) : refusal;
	}

	private IllegalStateException noTransaction() {
		return new IllegalStateException("There is no transaction on this DataSource, so that nothing would keep a "
				+ "newer leader out until the commit. Call the fence inside @Transactional or TransactionTemplate, "
				+ "with the transaction manager of the same DataSource");
	}

	private RuntimeException failure(String purpose, SQLException ex) {
		JdbcDialect dialect = this.database.dialect();
		if (dialect != null && SqlFailures.any(ex, dialect::isMissingTable)) {
			return UnusableDatabaseException.missingFence(dialect, this.database.tables(), ex);
		}
		if (dialect != null && SqlFailures.any(ex, dialect::isMissingRight)) {
			return UnusableDatabaseException.missingFenceRight(this.database.tables(), ex);
		}
		String task = "Could not " + purpose;
		DataAccessException translated = this.translator.translate(task, null, ex);
		if (!(translated instanceof ConcurrencyFailureException) && SqlFailures.isConflict(ex)) {
			return new CannotAcquireLockException("%s: %s".formatted(task, ex.getMessage()), ex);
		}
		return (translated != null) ? translated : new UncategorizedSQLException(task, null, ex);
	}

	/**
	 * Builds a fence.
	 */
	public static final class Builder {

		private final DataSource dataSource;

		private String tableName = LeaseTables.DEFAULT;

		private Duration queryTimeout = Duration.ofSeconds(2);

		private @Nullable JdbcDialect dialect;

		private @Nullable StaleTokens staleTokens;

		private Function<String, @Nullable Duration> leaseDuration = (election) -> null;

		private Builder(DataSource dataSource) {
			this.dataSource = dataSource;
		}

		/**
		 * Names the table of the leases, whose name followed by {@code _EPOCH} is that of
		 * the fence. Default: {@code LEADER_ELECTION}.
		 * @param tableName a plain identifier, optionally with a schema
		 * @return this
		 * @throws IllegalArgumentException if it is not
		 */
		public Builder tableName(String tableName) {
			this.tableName = new LeaseTables(tableName).lease();
			return this;
		}

		/**
		 * Says which database it is. Default: what the driver says.
		 * @param dialect the dialect
		 * @return this
		 */
		public Builder dialect(@Nullable JdbcDialect dialect) {
			this.dialect = dialect;
			return this;
		}

		/**
		 * Limits how long to wait for the row, in whole seconds. Default: 2 seconds.
		 * @param queryTimeout the timeout
		 * @return this
		 */
		public Builder queryTimeout(Duration queryTimeout) {
			this.queryTimeout = LeaseDatabase.requireValidTimeout(queryTimeout);
			return this;
		}

		/**
		 * Tells of every refusal. Default: nobody.
		 * @param staleTokens takes note
		 * @return this
		 */
		public Builder reportTo(StaleTokens staleTokens) {
			this.staleTokens = staleTokens;
			return this;
		}

		/**
		 * Sets how long a lease of an election lasts. On PostgreSQL, a transaction that
		 * has passed the fence and is then idle for longer is ended with its session
		 * ({@code idle_in_transaction_session_timeout}, for that transaction only and
		 * unless it is shorter already), since it keeps the next leader out. Default: not
		 * known, and no limit.
		 * @param leaseDuration gives the duration for the name of an election; may give
		 * {@code null}
		 * @return this
		 */
		public Builder leaseDuration(Function<String, @Nullable Duration> leaseDuration) {
			this.leaseDuration = leaseDuration;
			return this;
		}

		/**
		 * Builds the fence. The database is not asked yet.
		 * @return the fence
		 */
		public JdbcFence build() {
			return new JdbcFence(this);
		}

	}

}
