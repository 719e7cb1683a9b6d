package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import javax.sql.DataSource;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
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

	static final String CLOCK_SET_FORWARD = "A server whose clock is set forward ends leases early.";

	private final DataSource dataSource;

	private final LeaseTables tables;

	private final OddRows oddRows;

	private final Duration queryTimeout;

	private final @Nullable SessionMode sessionMode;

	private volatile @Nullable WakeUpSource wakeUpSource;

	private volatile @Nullable LeaseStatements statements;

	private volatile Optional<String> privateDatabase = Optional.empty();

	private JdbcLeaseStore(Builder builder) {
		this.dataSource = builder.dataSource;
		this.tables = new LeaseTables(builder.tableName);
		this.oddRows = new OddRows(this.tables);
		this.queryTimeout = builder.queryTimeout;
		this.statements = (builder.dialect != null) ? new LeaseStatements(builder.dialect, this.tables) : null;
		this.wakeUpSource = builder.wakeUpSource;
		this.sessionMode = builder.sessionMode(this.tables);
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
		call("check the tables", (connection, sql) -> {
			this.privateDatabase = PrivateDatabase.of(connection.url());
			if (this.sessionMode != null && sql.dialect() != JdbcDialect.POSTGRESQL) {
				throw UnusableDatabaseException.noSessionsOn(sql.dialect());
			}
			try {
				new SchemaCheck(connection, sql).run();
			}
			catch (SQLException ex) {
				if (SqlFailures.isStatementRefused(ex)) {
					LeaseStoreException explained = failure("check the tables", ex);
					throw (explained instanceof UnusableDatabaseException) ? explained
							: UnusableDatabaseException.refusedStatement(sql.dialect(), ex);
				}
				throw ex;
			}
			return true;
		});
		if (this.sessionMode != null) {
			this.sessionMode.tryOut(this::validate);
		}
	}

	private void validate(SessionConditions conditions) {
		call("check the session", (connection, sql) -> {
			LeaseStatements bound = sql.with(conditions);
			new SchemaCheck(connection, bound).run();
			try {
				connection.requireSession(bound);
			}
			catch (SessionEndedException ex) {
				throw UnusableDatabaseException.noSession(ex.getMessage(), ex);
			}
			return true;
		});
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
	public List<AcquireResult> acquire(List<Candidacy> asked) {
		Bond bond = bond(asked, Candidacy::duration);
		List<Candidacy> candidacies = asked.stream().map((candidacy) -> bound(candidacy, bond)).toList();
		Map<String, AcquireResult> results = new HashMap<>();
		call("acquire leases", bond, (connection, sql) -> {
			for (Group<Candidacy> group : groups(candidacies, Candidacy::owner, Candidacy::election)) {
				Acquisition acquisition = new Acquisition(connection, sql, group.owner(), this.oddRows);
				Map<String, AcquireResult> answers = acquisition.acquire(group.items());
				results.putAll(answers);
				bond.asked(answers.keySet(), acquisition.refused());
			}
			return results;
		});
		return answers(candidacies, (candidacy) -> limited(results.get(candidacy.election()), bond));
	}

	private static Candidacy bound(Candidacy asked, Bond bond) {
		return new Candidacy(asked.election(), bond.owner(asked.owner()), asked.duration(), asked.tokenFloor(),
				asked.createIfAbsent());
	}

	private static @Nullable AcquireResult limited(@Nullable AcquireResult result, Bond bond) {
		return (result instanceof AcquireResult.Granted granted)
				? new AcquireResult.Granted(granted.token(), bond.validFor(granted.validFor())) : result;
	}

	@Override
	public List<RenewResult> renew(List<Renewal> asked) {
		Bond bond = bond(asked, (renewal) -> renewal.lease().duration());
		List<Renewal> renewals = asked.stream()
			.map((renewal) -> new Renewal(bound(renewal.lease(), bond), renewal.createIfAbsent()))
			.toList();
		Map<Renewal, RenewResult> results = new HashMap<>();
		call("renew leases", bond, (connection, sql) -> {
			for (Group<Renewal> group : groups(renewals, (renewal) -> renewal.lease().owner(),
					(renewal) -> renewal.lease().election())) {
				results.putAll(new Prolongation(connection, sql, group.owner()).renew(group.items()));
			}
			return results;
		});
		return answers(renewals, (renewal) -> limited(results.get(renewal), bond));
	}

	private static Lease bound(Lease lease, Bond bond) {
		return new Lease(lease.election(), bond.owner(lease.owner()), lease.token(), lease.duration());
	}

	private static @Nullable RenewResult limited(@Nullable RenewResult result, Bond bond) {
		return (result instanceof RenewResult.Renewed renewed)
				? new RenewResult.Renewed(bond.validFor(renewed.validFor())) : result;
	}

	@Override
	public void release(List<Lease> given) {
		Bond bond = bond(given, Lease::duration);
		List<Lease> leases = given.stream().map((lease) -> bound(lease, bond)).toList();
		call("release leases", bond, (connection, sql) -> {
			for (Group<Lease> group : groups(leases, Lease::owner, Lease::election)) {
				Parameters parameters = new Parameters().add(group.owner().nodeId()).add(group.owner().incarnation());
				int count = parameters.addPadded(group.items(), (lease) -> List.of(lease.election(), lease.token()));
				connection.run(sql.release(count), parameters.list());
			}
			return true;
		});
	}

	@Override
	public void transfer(Lease given, String nodeId, Duration grace) {
		Bond bond = bond(List.of(given), Lease::duration);
		Lease lease = bound(given, bond);
		long micros = StoredLease.micros(grace);
		call("transfer a lease", bond, (connection, sql) -> {
			connection.run(sql.transfer(), List.of(nodeId, micros, micros, lease.owner().nodeId(),
					lease.owner().incarnation(), lease.election(), lease.token()));
			return true;
		});
	}

	@Override
	public List<String> limits() {
		if (this.sessionMode != null) {
			return this.sessionMode.limits();
		}
		return List.of("A server that is promoted without the last commits may grant a lease again.",
				CLOCK_SET_FORWARD);
	}

	@Override
	public Optional<LeaseView> read(String election) {
		List<ViewRow> rows = call("read a lease",
				(connection, sql) -> connection.query(sql.read(), ViewRow::from, List.of(election)));
		if (rows.isEmpty()) {
			return Optional.empty();
		}
		if (!rows.get(0).makesSense()) {
			throw this.oddRows.exception(election, rows.get(0));
		}
		return Optional.of(ViewRow.view(rows));
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		LeaseStatements sql = call("watch", (connection, present) -> present);
		if (sql.dialect() != JdbcDialect.POSTGRESQL) {
			return Optional.empty();
		}
		try {
			if (this.sessionMode != null) {
				return Optional.of(this.sessionMode.session().watch(wakeUps));
			}
			WakeUpSource source = this.wakeUpSource;
			if (source == null) {
				source = new WakeUpSource(OwnConnections.besides(this.dataSource));
				this.wakeUpSource = source;
			}
			return source.watch(this.tables.channel(), wakeUps, this::send);
		}
		catch (SQLException ex) {
			throw failure("watch", ex);
		}
	}

	/**
	 * Gives up and asks for a lease that cannot exist, and sends a hint that means
	 * nothing to anybody.
	 */
	@Override
	public void rehearse(Owner owner) {
		String nobodys = "rehearsal of " + owner.incarnation();
		release(List.of(new Lease(nobodys, owner, 1, Duration.ofSeconds(1))));
		acquire(List.of(new Candidacy(nobodys, owner, Duration.ofSeconds(1), 0, false)));
		LeaseStatements present = this.statements;
		if (present != null && present.dialect() == JdbcDialect.POSTGRESQL) {
			send(this.tables.channel(), nobodys);
		}
	}

	private void send(String channel, String payload) {
		call("send a notification", (connection, sql) -> {
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
	private <T> Bond bond(List<T> leases, Function<T, Duration> duration) {
		if (this.sessionMode == null) {
			return Bond.NONE;
		}
		try {
			return this.sessionMode.session()
				.bond(leases.stream().map(duration).max(Comparator.naturalOrder()).orElse(Duration.ZERO));
		}
		catch (SQLException ex) {
			throw failure("open a session", ex);
		}
	}

	private <T> T call(String purpose, Call<T> call) {
		return call(purpose, Bond.NONE, call);
	}

	private <T> T call(String purpose, Bond bond, Call<T> call) {
		try (StoreConnection connection = StoreConnection.open(this.dataSource, this.queryTimeout)) {
			return call.perform(connection, statements(connection).with(bond.conditions()));
		}
		catch (SessionEndedException ex) {
			bond.broken();
			throw failure(purpose, ex);
		}
		catch (SQLException ex) {
			throw failure(purpose, ex);
		}
	}

	private LeaseStatements statements(StoreConnection connection) throws SQLException {
		LeaseStatements present = this.statements;
		if (present == null) {
			String product = connection.productName();
			JdbcDialect dialect = JdbcDialect.ofProduct(product)
				.orElseThrow(() -> UnusableDatabaseException.unknownProduct(product));
			present = new LeaseStatements(dialect, this.tables);
			this.statements = present;
		}
		return present;
	}

	private LeaseStoreException failure(String purpose, SQLException ex) {
		LeaseStatements present = this.statements;
		if (present != null && SqlFailures.any(ex, present.dialect()::isMissingTable)) {
			return UnusableDatabaseException.missingTable(present.dialect(), this.tables, ex);
		}
		if (present != null && SqlFailures.any(ex, present.dialect()::isMissingRight)) {
			return UnusableDatabaseException.missingRight(this.tables, ex);
		}
		return new LeaseStoreException(
				"Could not %s in table %s: %s".formatted(purpose, this.tables.lease(), ex.getMessage()), ex);
	}

	/**
	 * What goes into one statement: the same owner, not too many, and always in the same
	 * order, so that two transactions do not wait for each other.
	 */
	private <T> List<Group<T>> groups(List<T> items, Function<T, Owner> owner, Function<T, String> election) {
		Map<Owner, List<T>> byOwner = new LinkedHashMap<>();
		for (T item : items) {
			requireTellable(election.apply(item));
			byOwner.computeIfAbsent(owner.apply(item), (key) -> new ArrayList<>()).add(item);
		}
		List<Group<T>> groups = new ArrayList<>();
		byOwner.forEach((key, all) -> {
			all.sort(Comparator.comparing(election));
			for (int i = 0; i < all.size(); i += LeaseStatements.MOST_ELECTIONS) {
				groups.add(new Group<>(key, all.subList(i, Math.min(i + LeaseStatements.MOST_ELECTIONS, all.size()))));
			}
		});
		return groups;
	}

	private void requireTellable(String election) {
		LeaseStatements present = this.statements;
		if (present != null && !present.dialect().tellsNamesApart(election)) {
			throw new LeaseStoreException("%s cannot tell the election '%s' from one without the spaces at the end"
				.formatted(present.dialect(), election));
		}
	}

	private static <T, R> List<R> answers(List<T> questions, Function<T, @Nullable R> answer) {
		List<R> answers = new ArrayList<>(questions.size());
		for (T question : questions) {
			answers.add(Objects.requireNonNull(answer.apply(question)));
		}
		return answers;
	}

	static Duration requireValidTimeout(Duration timeout) {
		if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
			throw new IllegalArgumentException("The query timeout must be from 1 second to 1 hour, but is " + timeout);
		}
		return timeout;
	}

	static Duration requireValidDelay(Duration delay) {
		if (delay.isNegative() || delay.compareTo(Duration.ofDays(1)) > 0) {
			throw new IllegalArgumentException("The takeover delay must be from 0 to 1 day, but is " + delay);
		}
		return delay;
	}

	/**
	 * What is done with a connection and its statements.
	 *
	 * @param <T> what comes of it
	 */
	interface Call<T> {

		T perform(StoreConnection connection, LeaseStatements statements) throws SQLException;

	}

	private record Group<T>(Owner owner, List<T> items) {
	}

	/**
	 * Builds a store.
	 */
	public static final class Builder {

		private final DataSource dataSource;

		private String tableName = LeaseTables.DEFAULT;

		private Duration queryTimeout = Duration.ofSeconds(2);

		private @Nullable JdbcDialect dialect;

		private @Nullable WakeUpSource wakeUpSource;

		private boolean withoutWakeUps;

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
			this.queryTimeout = requireValidTimeout(queryTimeout);
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
			this.wakeUpSource = new WakeUpSource(OwnConnections.of(dataSource));
			this.withoutWakeUps = false;
			return this;
		}

		/**
		 * Does without wake-ups.
		 * @return this
		 */
		public Builder withoutWakeUps() {
			this.wakeUpSource = WakeUpSource.none();
			this.withoutWakeUps = true;
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
			this.takeoverDelay = requireValidDelay(takeoverDelay);
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

		private @Nullable SessionMode sessionMode(LeaseTables tables) {
			if (this.mode != JdbcMode.SESSION) {
				return null;
			}
			OwnConnections connections = (this.sessionSource != null) ? OwnConnections.of(this.sessionSource)
					: OwnConnections.besides(this.dataSource);
			return new SessionMode(connections, this.withoutWakeUps ? null : tables.channel(), this.queryTimeout,
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
