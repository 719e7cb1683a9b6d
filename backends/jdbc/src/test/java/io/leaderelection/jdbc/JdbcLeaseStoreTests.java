package io.leaderelection.jdbc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the store does with its database, beyond the contract of lease stores.
 */
@ExtendWith(OutputCaptureExtension.class)
class JdbcLeaseStoreTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final Owner owner = new Owner("one", UUID.randomUUID().toString());

	private final Owner other = new Owner("other", UUID.randomUUID().toString());

	@ParameterizedTest
	@EnumSource
	void aHundredLeasesAreRenewedWithOneStatement(Database database) {
		try (ObservedStore observed = new ObservedStore(database)) {
			JdbcLeaseStore store = observed.store;
			List<Lease> leases = acquire(store, this.owner, 100);
			observed.executed().clear();
			assertThat(store.renew(leases.stream().map((lease) -> new RenewRequest(lease, false)).toList()))
				.hasSize(100)
				.hasOnlyElementsOfType(Renewed.class);
			assertThat(observed.executed()).singleElement().asString().startsWith("UPDATE ");
		}
	}

	@Test
	void aNumberOfMoreDigitsThanALongHarmsOnlyItsOwnElection() {
		TestDatabase server = Database.H2.server();
		String table = server.createTables();
		for (String column : List.of("TOKEN", "EXPIRES_AT", "LEASE_DURATION")) {
			server.execute("ALTER TABLE %s ALTER COLUMN %s SET DATA TYPE NUMERIC(30)".formatted(table, column));
		}
		server.execute("ALTER TABLE %s_EPOCH ALTER COLUMN TOKEN SET DATA TYPE NUMERIC(30)".formatted(table));
		try (HikariDataSource pool = server.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			List<Lease> leases = acquire(store, this.owner, 10);
			BigDecimal odd = BigDecimal.TEN.pow(25);
			server.execute("UPDATE %s SET EXPIRES_AT = ? WHERE ELECTION = ?".formatted(table), odd,
					leases.get(3).election());
			server.execute("UPDATE %s_EPOCH SET TOKEN = ? WHERE ELECTION = ?".formatted(table), odd,
					leases.get(5).election());
			store.release(List.of(leases.get(5), leases.get(6)));
			assertThat(store.acquire(leases.stream().map((lease) -> candidacy(lease.election(), this.other)).toList()))
				.extracting((answer) -> answer instanceof Granted)
				.containsExactly(false, false, false, false, false, false, true, false, false, false);
		}
	}

	@Test
	void aRowThatMakesNoSenseIsToldOfOnceUntilItIsInOrder(CapturedOutput output) {
		TestDatabase server = Database.H2.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			String election = acquire(store, this.owner, 1).get(0).election();
			for (int i = 1; i <= 2; i++) {
				server.execute("UPDATE %s SET TOKEN = -1".formatted(table));
				store.acquire(List.of(candidacy(election, this.other)));
				store.acquire(List.of(candidacy(election, this.other)));
				assertThat(output.getAll().split("The row of election '" + election + "' in " + table, -1))
					.hasSize(i + 1);
				assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> store.read(election))
					.withMessageContaining("TOKEN -1");
				server.execute("UPDATE %s SET TOKEN = 1".formatted(table));
				store.acquire(List.of(candidacy(election, this.other)));
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aLookAtAHundredHeldLeasesIsOneStatementAndWritesNothing(Database database) {
		try (ObservedStore observed = new ObservedStore(database)) {
			JdbcLeaseStore store = observed.store;
			List<String> elections = acquire(store, this.owner, 100).stream().map(Lease::election).toList();
			List<AcquireRequest> candidacies = elections.stream()
				.map((election) -> candidacy(election, this.other))
				.toList();
			assertThat(store.acquire(candidacies)).hasSize(100).hasOnlyElementsOfType(Held.class);
			observed.executed().clear();
			assertThat(store.acquire(candidacies)).hasSize(100).hasOnlyElementsOfType(Held.class);
			assertThat(observed.executed()).singleElement()
				.asString()
				.startsWith((database == Database.POSTGRESQL) ? "WITH asked " : "SELECT ");
			assertThat(store.read(elections.get(99)).orElseThrow().candidates()).containsExactly("other");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aHundredFreeLeasesAreTakenInOneTransaction(Database database) {
		try (ObservedStore observed = new ObservedStore(database)) {
			JdbcLeaseStore store = observed.store;
			List<Lease> leases = acquire(store, this.owner, 100);
			store.release(leases);
			observed.executed().clear();
			acquire(store, this.other, 100);
			assertThat(observed.executed()).hasSize((database == Database.POSTGRESQL) ? 1 : 4);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aHundredAnswersThatWereLostAreGivenAgainWithTwoStatements(Database database) {
		try (ObservedStore observed = new ObservedStore(database)) {
			JdbcLeaseStore store = observed.store;
			List<Lease> leases = acquire(store, this.owner, 100);
			observed.executed().clear();
			assertThat(acquire(store, this.owner, 100)).isEqualTo(leases);
			assertThat(observed.executed()).hasSize(2).last().asString().startsWith("UPDATE ");
		}
	}

	@ParameterizedTest
	@EnumSource
	void anAnswerThatWasLostIsNotGivenAgainForALeaseThatOthersHaveTakenMeanwhile(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			ObservedDataSource observed = new ObservedDataSource(pool);
			JdbcLeaseStore store = JdbcLeaseStore.on(observed).tableName(table).build();
			List<Lease> leases = acquire(store, this.owner, 3);
			observed.before("UPDATE ", () -> server.execute(
					"UPDATE %s SET OWNER_NODE = 'other', OWNER_INCARNATION = '1', TOKEN = TOKEN + 1 WHERE ELECTION = 'election-1'"
						.formatted(table)));
			List<AcquireResult> results = store
				.acquire(leases.stream().map((lease) -> candidacy(lease.election(), this.owner)).toList());
			assertThat(results.get(0)).isInstanceOf(Granted.class);
			assertThat(results.get(1)).isInstanceOfSatisfying(Held.class,
					(held) -> assertThat(held.token()).isEqualTo(leases.get(1).token() + 1));
			assertThat(results.get(2)).isInstanceOf(Granted.class);
		}
	}

	@ParameterizedTest
	@EnumSource
	void thoseWhoNoLongerStandByAreForgotten(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			acquire(store, this.owner, 1);
			acquire(store, new Owner("gone", "1"), 1);
			server.execute("UPDATE %s_CANDIDATE SET STANDBY_UNTIL = 1".formatted(table));
			assertThat(store.read("election-0").orElseThrow().candidates()).isEmpty();
			acquire(store, this.other, 1);
			assertThat(server.execute("DELETE FROM %s_CANDIDATE".formatted(table))).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void aCandidateThatGoesOnAskingIsNotForgotten(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			acquire(store, this.owner, 1);
			acquire(store, this.other, 1);
			server.execute("UPDATE %s_CANDIDATE SET STANDBY_UNTIL = STANDBY_UNTIL - %d".formatted(table,
					StoredLease.standby(LEASE) - 1_000_000));
			acquire(store, this.other, 1);
			server.execute("DELETE FROM %s_CANDIDATE WHERE STANDBY_UNTIL < (SELECT EXPIRES_AT FROM %s)".formatted(table,
					table));
			assertThat(store.read("election-0").orElseThrow().candidates()).containsExactly("other");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aTransactionOfTheCallerIsNotJoined(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
			List<JdbcLeaseStore> stores = List.of(JdbcLeaseStore.on(pool).tableName(table).build(),
					JdbcLeaseStore.on(new TransactionAwareDataSourceProxy(pool)).tableName(table).build());
			for (int i = 0; i < stores.size(); i++) {
				JdbcLeaseStore store = stores.get(i);
				AcquireRequest candidacy = candidacy("in-a-transaction-" + i, this.owner);
				AcquireResult answer = transaction.execute((status) -> {
					new JdbcTemplate(pool).update("INSERT INTO %s_EPOCH VALUES ('of the caller', 1)".formatted(table));
					AcquireResult result = store.acquire(List.of(candidacy)).get(0);
					status.setRollbackOnly();
					return result;
				});
				assertThat(answer).isInstanceOf(Granted.class);
				assertThat(store.read(candidacy.election()).orElseThrow().holder()).contains(this.owner);
				assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
				assertThat(server.execute("DELETE FROM %s_EPOCH WHERE TOKEN = 1".formatted(table))).isZero();
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void theConnectionGoesBackAsItCame(Database database) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(1); Connection connection = pool.getConnection()) {
			connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
			connection.setAutoCommit(false);
			int networkTimeout = connection.getNetworkTimeout();
			SingleConnectionDataSource dataSource = new SingleConnectionDataSource(connection, true);
			JdbcLeaseStore store = JdbcLeaseStore.on(dataSource).tableName(table).build();
			List<Lease> leases = acquire(store, this.owner, 2);
			acquire(store, this.other, 2);
			store.renew(List.of(new RenewRequest(leases.get(0), false),
					new RenewRequest(new Lease("absent", this.owner, 1, LEASE), true)));
			store.release(leases);
			assertThat(connection.getAutoCommit()).isFalse();
			assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
			assertThat(connection.getNetworkTimeout()).isEqualTo(networkTimeout);
			try (Statement statement = connection.createStatement()) {
				assertThat(statement.getQueryTimeout()).isZero();
			}
			connection.rollback();
			connection.setAutoCommit(true);
			assertThat(store.read("absent").orElseThrow().holder()).contains(this.owner);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aMissingTableIsExplained(Database database) {
		TestDatabase server = database.server();
		try (HikariDataSource pool = server.pool(1)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName("NOT_THERE").build();
			for (Runnable use : List.<Runnable>of(store::validate, () -> acquire(store, this.owner, 1),
					() -> store.renew(List.of(new RenewRequest(new Lease("a", this.owner, 1, LEASE), false))))) {
				assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(use::run)
					.withMessageContaining("NOT_THERE_EPOCH")
					.withMessageContaining("classpath:io/leaderelection/jdbc/schemas/v1/schema-%s.sql"
						.formatted(database.name().toLowerCase()))
					.withMessageContaining("leader-election.jdbc.initialize-schema=always")
					.withMessageContaining("leader-election.jdbc.table-name");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aMissingRightIsExplained(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		String user = "reader" + UUID.randomUUID().toString().substring(0, 8);
		String host = (database == Database.MARIADB) ? "@'127.0.0.1'" : "";
		switch (database) {
			case POSTGRESQL -> server.execute("CREATE ROLE %s LOGIN PASSWORD 'secret'".formatted(user));
			case MARIADB -> server.execute("CREATE USER %s%s IDENTIFIED BY 'secret'".formatted(user, host));
			case H2 -> server.execute("CREATE USER %s PASSWORD 'secret'".formatted(user));
		}
		for (String suffix : List.of("", "_EPOCH", "_CANDIDATE")) {
			server.execute("GRANT SELECT ON %s%s TO %s%s".formatted(table, suffix, user, host));
		}
		try (HikariDataSource pool = server.pool(1, user, "secret")) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			for (Runnable use : List.<Runnable>of(store::validate, () -> acquire(store, this.owner, 1))) {
				assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(use::run)
					.withMessageContaining("lacks a right")
					.withMessageContaining("INSERT, UPDATE and DELETE on %s_CANDIDATE".formatted(table))
					.withMessageContaining("@LeaderElectionDataSource");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void tablesThatCanBeUsedAreValid(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(1)) {
			JdbcLeaseStore.on(pool).tableName(table).build().validate();
		}
		for (String suffix : List.of("", "_EPOCH", "_CANDIDATE")) {
			assertThat(server.execute("DELETE FROM %s%s".formatted(table, suffix))).isZero();
		}
	}

	@Test
	void anElectionThatCannotBeWrittenDoesNotHoldUpTheOthers() {
		H2Memory server = new H2Memory(";IGNORECASE=TRUE");
		try (HikariDataSource pool = server.pool(1)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(server.createTables()).build();
			store.acquire(List.of(candidacy("reports", this.owner)));
			List<AcquireResult> answers = store.acquire(List.of(candidacy("mails", this.other),
					candidacy("REPORTS", this.other), candidacy("sums", this.other)));
			assertThat(answers.get(0)).isInstanceOf(Granted.class);
			assertThat(answers.get(1)).isInstanceOf(Held.class);
			assertThat(answers.get(2)).isInstanceOf(Granted.class);
		}
	}

	@Test
	void aTableOfAnotherVersionIsNotValid() {
		H2Memory server = new H2Memory();
		String table = server.createTables();
		server.execute("ALTER TABLE %s DROP COLUMN RESERVED_FOR".formatted(table));
		try (HikariDataSource pool = server.pool(1)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(store::validate)
				.withMessageContaining("RESERVED_FOR");
		}
	}

	@Test
	void anUnreachableDatabaseIsTroubleAndNotMisconfiguration() {
		HikariDataSource pool = new H2Memory().pool(1);
		pool.close();
		JdbcLeaseStore store = JdbcLeaseStore.on(pool).build();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(store::validate)
			.isNotInstanceOf(UnusableDatabaseException.class)
			.withMessageContaining("LEADER_ELECTION");
	}

	@Test
	void anInterruptedCallEnds() {
		H2Memory server = new H2Memory();
		try (HikariDataSource pool = server.pool(1)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(server.createTables()).build();
			acquire(store, this.owner, 1);
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> acquire(store, this.owner, 1));
			assertThat(Thread.interrupted()).isTrue();
			acquire(store, this.owner, 1);
		}
	}

	private static List<Lease> acquire(JdbcLeaseStore store, Owner owner, int count) {
		List<AcquireRequest> candidacies = IntStream.range(0, count)
			.mapToObj((i) -> candidacy("election-" + i, owner))
			.toList();
		List<AcquireResult> answers = store.acquire(candidacies);
		return IntStream.range(0, count)
			.filter((i) -> answers.get(i) instanceof Granted)
			.mapToObj((i) -> new Lease("election-" + i, owner, ((Granted) answers.get(i)).token(), LEASE))
			.toList();
	}

	private static AcquireRequest candidacy(String election, Owner owner) {
		return new AcquireRequest(election, owner, LEASE, 0, true);
	}

	/**
	 * A store on tables of its own, and what it has the database do.
	 */
	private static final class ObservedStore implements AutoCloseable {

		private final HikariDataSource pool;

		private final ObservedDataSource dataSource;

		private final JdbcLeaseStore store;

		private ObservedStore(Database database) {
			TestDatabase server = database.server();
			this.pool = server.pool(2);
			this.dataSource = new ObservedDataSource(this.pool);
			this.store = JdbcLeaseStore.on(this.dataSource).tableName(server.createTables()).build();
		}

		private List<String> executed() {
			return this.dataSource.executed();
		}

		@Override
		public void close() {
			this.pool.close();
		}

	}

}
