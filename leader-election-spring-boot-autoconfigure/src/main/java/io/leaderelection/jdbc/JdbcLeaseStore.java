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
 */
public final class JdbcLeaseStore implements LeaseStore {

	/**
	 * So many that the compiler takes note. PostgreSQL's driver has a statement prepared
	 * at the server when it is used five times.
	 */
	private static final int REHEARSALS = 50;

	private final DataSource dataSource;

	private final LeaseTables tables;

	private final OddRows oddRows;

	private final Duration queryTimeout;

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
	public List<AcquireResult> acquire(List<Candidacy> candidacies) {
		Map<String, AcquireResult> results = new HashMap<>();
		call("acquire leases", (connection, sql) -> {
			for (Group<Candidacy> group : groups(candidacies, Candidacy::owner, Candidacy::election)) {
				results.putAll(new Acquisition(connection, sql, group.owner(), this.oddRows).acquire(group.items()));
			}
			return results;
		});
		return answers(candidacies, (candidacy) -> results.get(candidacy.election()));
	}

	@Override
	public List<RenewResult> renew(List<Renewal> renewals) {
		Map<Renewal, RenewResult> results = new HashMap<>();
		call("renew leases", (connection, sql) -> {
			for (Group<Renewal> group : groups(renewals, (renewal) -> renewal.lease().owner(),
					(renewal) -> renewal.lease().election())) {
				results.putAll(new Prolongation(connection, sql, group.owner()).renew(group.items()));
			}
			return results;
		});
		return answers(renewals, results::get);
	}

	@Override
	public void release(List<Lease> leases) {
		call("release leases", (connection, sql) -> {
			for (Group<Lease> group : groups(leases, Lease::owner, Lease::election)) {
				Parameters parameters = new Parameters().add(group.owner().nodeId()).add(group.owner().incarnation());
				int count = parameters.addPadded(group.items(), (lease) -> List.of(lease.election(), lease.token()));
				connection.run(sql.release(count), parameters.list());
			}
			return true;
		});
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		long micros = StoredLease.micros(grace);
		call("transfer a lease", (connection, sql) -> {
			connection.run(sql.transfer(), List.of(nodeId, micros, micros, lease.owner().nodeId(),
					lease.owner().incarnation(), lease.election(), lease.token()));
			return true;
		});
	}

	@Override
	public List<String> limits() {
		return List.of("A server that is promoted without the last commits may grant a lease again.",
				"A server whose clock is set forward ends leases early.");
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
		WakeUpSource source = this.wakeUpSource;
		if (source == null) {
			source = WakeUpSource.besides(this.dataSource);
			this.wakeUpSource = source;
		}
		try {
			return source.watch(this.tables.channel(), wakeUps, this::send);
		}
		catch (SQLException ex) {
			throw failure("watch", ex);
		}
	}

	/** Asks for and gives up a lease that cannot exist. */
	@Override
	public void rehearse(Owner owner) {
		String nobodys = "rehearsal of " + owner.incarnation();
		for (int i = 0; i < REHEARSALS; i++) {
			release(List.of(new Lease(nobodys, owner, 1, Duration.ofSeconds(1))));
			acquire(List.of(new Candidacy(nobodys, owner, Duration.ofSeconds(1), 0, false)));
		}
	}

	private void send(String channel, String payload) {
		call("send a notification", (connection, sql) -> {
			connection.run("SELECT pg_notify(?, ?)", List.of(channel, payload));
			return true;
		});
	}

	private <T> T call(String purpose, Call<T> call) {
		try (StoreConnection connection = StoreConnection.open(this.dataSource, this.queryTimeout)) {
			return call.perform(connection, statements(connection));
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

	private interface Call<T> {

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
			this.wakeUpSource = WakeUpSource.of(dataSource);
			return this;
		}

		/**
		 * Does without wake-ups.
		 * @return this
		 */
		public Builder withoutWakeUps() {
			this.wakeUpSource = WakeUpSource.none();
			return this;
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
