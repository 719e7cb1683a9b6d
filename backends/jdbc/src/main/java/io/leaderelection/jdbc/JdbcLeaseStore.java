package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import javax.sql.DataSource;

import io.leaderelection.jdbc.session.SessionBinding;
import io.leaderelection.jdbc.session.SessionMode;
import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.sql.StatementParameters;
import io.leaderelection.jdbc.wakeup.WakeUpSource;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Keeps leases in tables of a relational database. Time is the database's. Every call
 * uses one connection of its own and short transactions of its own; a transaction of the
 * caller is never joined.
 *
 * <p>
 * Two leaders are excluded as long as the database's clock does not jump forward: a lease
 * ends when that clock says so, and a server that is set forward, or replaced by one
 * whose clock is ahead, ends it early. The database has to keep what it has committed: a
 * standby server that is promoted without the last commits may grant a lease again.
 *
 * <p>
 * Wake-ups exist on PostgreSQL, on one more connection that is not taken from the pool.
 *
 * <p>
 * In {@link JdbcMode#SESSION} a lease is moreover free as soon as the server has seen the
 * session of its holder end. If the server loses the session while the holder lives,
 * there may be two leaders until the holder has noticed.
 */
public final class JdbcLeaseStore implements LeaseStore, AutoCloseable {

	private final LeaseDatabase database;

	private final CorruptRows corruptRows;

	private final BlockedTakeovers blockedTakeovers = new BlockedTakeovers();

	private final @Nullable SessionMode sessionMode;

	private volatile @Nullable WakeUpSource wakeUpSource;

	private volatile Optional<String> privateDatabase = Optional.empty();

	private JdbcLeaseStore(Builder builder) {
		LeaseTables tables = new LeaseTables(builder.tableName);
		this.database = new LeaseDatabase(builder.dataSource, tables, builder.queryTimeout, builder.dialect);
		this.corruptRows = new CorruptRows(tables);
		this.wakeUpSource = builder.wakeUpSource();
		this.sessionMode = builder.sessionMode(tables);
	}

	/**
	 * Prepares a store.
	 * @param dataSource where the tables are
	 * @return a builder
	 */
	public static Builder on(DataSource dataSource) {
		return new Builder(dataSource);
	}

	/**
	 * Tries whether the tables are there and may be used, without changing anything.
	 * @throws UnusableDatabaseException if not
	 * @throws LeaseStoreException if the database could not be asked
	 */
	public void validate() {
		this.privateDatabase = StoreCheck.run(this.database, this.sessionMode);
	}

	/**
	 * The database, if it is one in the memory of this process: then no other node can
	 * reach it, and every node leads.
	 * @return its URL; empty if it is another one, or {@link #validate()} did not reach
	 * it
	 */
	public Optional<String> privateDatabase() {
		return this.privateDatabase;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> asked) {
		SessionBinding binding = binding(asked, AcquireRequest::duration);
		List<AcquireRequest> candidacies = asked.stream().map(binding::bind).toList();
		Map<String, AcquireResult> results = new HashMap<>();
		this.database.call("acquire leases", binding, candidacies, AcquireRequest::owner, AcquireRequest::election,
				(connection, sql, owner, batch) -> {
					AcquireOperation operation = new AcquireOperation(connection, sql, owner, this.corruptRows,
							this.blockedTakeovers);
					Map<String, AcquireResult> answers = operation.acquire(batch);
					results.putAll(answers);
					binding.observed(answers.keySet(), operation.leaders());
				});
		return answers(candidacies, (candidacy) -> binding.limit(results.get(candidacy.election())));
	}

	@Override
	public List<RenewResult> renew(List<RenewRequest> asked) {
		SessionBinding binding = binding(asked, (renewal) -> renewal.lease().duration());
		List<RenewRequest> renewals = asked.stream()
			.map((renewal) -> new RenewRequest(binding.bind(renewal.lease()), renewal.createIfAbsent()))
			.toList();
		Map<RenewRequest, RenewResult> results = new HashMap<>();
		this.database.call("renew leases", binding, renewals, (renewal) -> renewal.lease().owner(),
				(renewal) -> renewal.lease().election(), (connection, sql, owner, batch) -> results
					.putAll(new RenewOperation(connection, sql, owner).renew(batch)));
		return answers(renewals, (renewal) -> binding.limit(results.get(renewal)));
	}

	@Override
	public void release(List<Lease> given) {
		SessionBinding binding = binding(given, Lease::duration);
		List<Lease> leases = given.stream().map(binding::bind).toList();
		this.database.call("release leases", binding, leases, Lease::owner, Lease::election,
				(connection, sql, owner, batch) -> {
					StatementParameters parameters = new StatementParameters().add(owner.nodeId())
						.add(owner.incarnation());
					int count = parameters.addPadded(batch, (lease) -> List.of(lease.election(), lease.token()));
					connection.run(sql.release(count), parameters.list());
				});
	}

	@Override
	public void transfer(Lease given, String nodeId, Duration grace) {
		SessionBinding binding = binding(List.of(given), Lease::duration);
		Lease lease = binding.bind(given);
		long micros = StoredLease.micros(grace);
		this.database.call("transfer a lease", binding, (connection, sql) -> {
			connection.run(sql.transfer(), List.of(nodeId, micros, micros, lease.owner().nodeId(),
					lease.owner().incarnation(), lease.election(), lease.token()));
			return true;
		});
	}

	@Override
	public List<String> limits() {
		List<String> limits = new ArrayList<>((this.sessionMode != null) ? this.sessionMode.limits()
				: List.of("A server that is promoted without the last commits may grant a lease again."));
		limits.add("A server whose clock is set forward ends leases early.");
		return List.copyOf(limits);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		List<StoredLease.ViewRow> rows = this.database.call("read a lease",
				(connection, sql) -> connection.query(sql.read(), StoredLease.ViewRow::from, List.of(election)));
		if (rows.isEmpty()) {
			return Optional.empty();
		}
		if (!rows.get(0).isValid()) {
			throw this.corruptRows.exception(election, rows.get(0));
		}
		return Optional.of(StoredLease.ViewRow.view(rows));
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		LeaseStatements sql = this.database.call("watch", (connection, present) -> present);
		if (sql.dialect() != JdbcDialect.POSTGRESQL) {
			return Optional.empty();
		}
		try {
			if (this.sessionMode != null) {
				return Optional.of(this.sessionMode.watch(wakeUps));
			}
			WakeUpSource source = this.wakeUpSource;
			if (source == null) {
				source = new WakeUpSource(DirectConnections.besides(this.database.dataSource()));
				this.wakeUpSource = source;
			}
			return source.watch(this.database.tables().channel(), wakeUps, this::send);
		}
		catch (SQLException ex) {
			throw this.database.failure("watch", ex);
		}
	}

	private void send(String channel, String payload) {
		this.database.call("send a notification", (connection, sql) -> {
			connection.run("SELECT pg_notify(?, ?)", List.of(channel, payload));
			return true;
		});
	}

	/**
	 * Ends the session with the server, if there is one, and with it the leases it kept.
	 */
	@Override
	public void close() {
		if (this.sessionMode != null) {
			this.sessionMode.close();
		}
	}

	/** Before a connection of the pool is taken: it may be the only one. */
	private <T> SessionBinding binding(List<T> leases, Function<T, Duration> duration) {
		if (this.sessionMode == null) {
			return SessionBinding.NONE;
		}
		try {
			return this.sessionMode
				.bind(leases.stream().map(duration).max(Comparator.naturalOrder()).orElse(Duration.ZERO));
		}
		catch (SQLException ex) {
			throw this.database.failure("open a session", ex);
		}
	}

	private static <T, R> List<R> answers(List<T> questions, Function<T, @Nullable R> answer) {
		return questions.stream().map((question) -> Objects.requireNonNull(answer.apply(question))).toList();
	}

	/**
	 * Builds a store.
	 */
	public static final class Builder {

		private final DataSource dataSource;

		private String tableName = LeaseTables.DEFAULT;

		private Duration queryTimeout = Duration.ofSeconds(2);

		private @Nullable JdbcDialect dialect;

		private @Nullable DirectConnections wakeUpConnections;

		private boolean wakeUps = true;

		private JdbcMode mode = JdbcMode.LEASE;

		private Duration takeoverDelay = Duration.ZERO;

		private @Nullable DataSource sessionSource;

		private Builder(DataSource dataSource) {
			Objects.requireNonNull(dataSource, "dataSource");
			this.dataSource = unproxied(dataSource);
		}

		/** The proxy would hand out the connection of the caller's transaction. */
		static DataSource unproxied(DataSource dataSource) {
			DataSource present = dataSource;
			while (present instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
				present = proxy.getTargetDataSource();
			}
			return present;
		}

		/**
		 * Names the table of the leases. Default: {@code LEADER_ELECTION}.
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
		 * Limits the time of each statement, in whole seconds. Default: 2 seconds.
		 * @param queryTimeout the timeout
		 * @return this
		 */
		public Builder queryTimeout(Duration queryTimeout) {
			this.queryTimeout = LeaseDatabase.requireValidTimeout(queryTimeout);
			return this;
		}

		/**
		 * Takes the connection for PostgreSQL's notifications from here. It is kept for
		 * as long as the elections run, so this should not be a small pool, nor lead
		 * through a PgBouncer in transaction mode. Default: the URL, user and password of
		 * the store's data source, without a pool; if they cannot be found out, there are
		 * no wake-ups.
		 * @param dataSource where from
		 * @return this
		 */
		public Builder wakeUpsFrom(DataSource dataSource) {
			this.wakeUpConnections = DirectConnections.of(dataSource);
			this.wakeUps = true;
			return this;
		}

		/**
		 * Does without wake-ups.
		 * @return this
		 */
		public Builder withoutWakeUps() {
			this.wakeUps = false;
			return this;
		}

		/**
		 * Says when a lease is free for others. Default: when it was not renewed for its
		 * duration.
		 * @param mode the mode
		 * @return this
		 */
		public Builder mode(JdbcMode mode) {
			this.mode = Objects.requireNonNull(mode, "mode");
			return this;
		}

		/**
		 * Lets the leases of a session that has ended stand for this time, or until they
		 * expire: the time that its node has to notice, should it still live. Default:
		 * none.
		 * @param takeoverDelay the delay, in {@link JdbcMode#SESSION}
		 * @return this
		 */
		public Builder takeoverDelay(Duration takeoverDelay) {
			this.takeoverDelay = SessionMode.requireValidDelay(takeoverDelay);
			return this;
		}

		/**
		 * Takes the connections of {@link JdbcMode#SESSION} from here, which are kept for
		 * as long as the elections run: the one that leases are bound to and
		 * notifications come on, and one that waits for the end of other nodes. They have
		 * to be direct ones to the same server and database, through no PgBouncer.
		 * Default: the URL, user and password of the store's data source, without a pool.
		 * @param dataSource where from
		 * @return this
		 */
		public Builder sessionFrom(DataSource dataSource) {
			this.sessionSource = unproxied(Objects.requireNonNull(dataSource, "dataSource"));
			return this;
		}

		/** None if it is to be derived from the data source, when it is needed. */
		private @Nullable WakeUpSource wakeUpSource() {
			DirectConnections connections = this.wakeUps ? this.wakeUpConnections
					: DirectConnections.none("they are switched off");
			return (connections != null) ? new WakeUpSource(connections) : null;
		}

		private @Nullable SessionMode sessionMode(LeaseTables tables) {
			if (this.mode != JdbcMode.SESSION) {
				return null;
			}
			DirectConnections connections = (this.sessionSource != null) ? DirectConnections.of(this.sessionSource)
					: DirectConnections.besides(this.dataSource);
			return new SessionMode(connections, this.wakeUps ? tables.channel() : null, this.queryTimeout,
					this.takeoverDelay);
		}

		/**
		 * Builds the store. The database is not asked yet.
		 * @return the store
		 */
		public JdbcLeaseStore build() {
			return new JdbcLeaseStore(this);
		}

	}

}
