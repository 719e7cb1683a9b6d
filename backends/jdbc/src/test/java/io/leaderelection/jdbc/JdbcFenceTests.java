package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.EnumMap;
import java.util.function.Consumer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.FencingToken;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Renewed;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The fence in the caller's own transaction.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcFenceTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final Map<Database, Place> places = new EnumMap<>(Database.class);

	private String election;

	@BeforeAll
	void connect() {
		for (Database database : Database.values()) {
			this.places.put(database, new Place(database));
		}
	}

	@BeforeEach
	void nameElection() {
		this.election = "election-" + UUID.randomUUID();
	}

	@AfterAll
	void disconnect() {
		this.places.values().forEach((place) -> place.pool.close());
	}

	static Stream<Arguments> isolations() {
		return Stream.of(Database.values())
			.flatMap((database) -> Stream.of(Isolation.values()).map((isolation) -> Arguments.of(database, isolation)));
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void whatWasReplacedSinceTheTransactionBeganIsNotCommitted(Database database, Isolation isolation) {
		Place place = this.places.get(database);
		FencingToken former = token(10);
		place.fence.announce(former);
		Throwable failure = catchThrowable(() -> place.inTransaction(isolation, (jdbc) -> {
			assertThat(place.written()).isEmpty();
			if (isolation != Isolation.SERIALIZABLE) {
				// there, reading locks
				assertThat(place.epoch()).isEqualTo(10);
			}
			place.write(jdbc, "former");
			place.raise(token(11));
			place.fence.check(former);
		}));
		if (failure instanceof StaleLeaderException stale) {
			assertThat(stale.refused()).isEqualTo(former);
			assertThat(stale.newest()).isEqualTo(token(11));
		}
		else {
			// the database refuses to lock what has changed since the snapshot was taken
			assertThat(failure).isInstanceOf(ConcurrencyFailureException.class);
			assertThat(isolation).isNotEqualTo(Isolation.READ_COMMITTED);
		}
		assertThat(place.written()).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void nobodyTakesOverFromATransactionThatHasPassed(Database database, Isolation isolation) {
		Place place = this.places.get(database);
		Owner leader = new Owner("leader", UUID.randomUUID().toString());
		Owner candidate = new Owner("candidate", UUID.randomUUID().toString());
		long token = ((Granted) place.store.acquire(List.of(new AcquireRequest(this.election, leader, LEASE, 0, true)))
			.get(0)).token();
		Lease lease = new Lease(this.election, leader, token, LEASE);
		List<AcquireRequest> candidacy = List.of(new AcquireRequest(this.election, candidate, LEASE, 0, false));
		place.inTransaction(isolation, (jdbc) -> {
			place.fence.check(new FencingToken(this.election, token));
			assertThat(place.store.renew(List.of(new RenewRequest(lease, false)))).hasOnlyElementsOfType(Renewed.class);
			place.store.release(List.of(lease));
			assertThat(place.store.acquire(candidacy)).hasOnlyElementsOfType(Held.class);
		});
		assertThat(place.store.acquire(candidacy)).hasOnlyElementsOfType(Granted.class);
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void theFirstTokenAndAHigherOneAreRemembered(Database database, Isolation isolation) {
		Place place = this.places.get(database);
		place.inTransaction(isolation, (jdbc) -> place.fence.check(token(5)));
		assertThat(place.epoch()).isEqualTo(5);
		place.inTransaction(isolation, (jdbc) -> place.fence.check(token(7)));
		place.inTransaction(isolation, (jdbc) -> place.fence.check(token(7)));
		assertThat(place.epoch()).isEqualTo(7);
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> place.inTransaction(isolation, (jdbc) -> place.fence.check(token(5))));
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> place.fence.announce(token(5)));
		assertThat(place.epoch()).isEqualTo(7);
	}

	@ParameterizedTest
	@EnumSource
	void whatWasRolledBackIsNotRemembered(Database database) {
		Place place = this.places.get(database);
		place.fence.announce(token(5));
		assertThatIllegalStateException().isThrownBy(() -> place.inTransaction(Isolation.READ_COMMITTED, (jdbc) -> {
			place.fence.check(token(9));
			throw new IllegalStateException("rolled back");
		}));
		assertThat(place.epoch()).isEqualTo(5);
		place.inTransaction(Isolation.READ_COMMITTED, (jdbc) -> place.fence.check(token(9)));
		assertThat(place.epoch()).isEqualTo(9);
	}

	@ParameterizedTest
	@EnumSource
	void aRowThatWasDeletedIsWrittenAgain(Database database) {
		Place place = this.places.get(database);
		place.fence.announce(token(5));
		place.jdbc.update("DELETE FROM " + place.table + "_EPOCH");
		place.inTransaction(Isolation.READ_COMMITTED, (jdbc) -> place.fence.check(token(5)));
		assertThat(place.epoch()).isEqualTo(5);
	}

	@ParameterizedTest
	@EnumSource
	void transactionsOfOneLeaderDoNotRefuseEachOther(Database database) throws Exception {
		Place place = this.places.get(database);
		List<Callable<Boolean>> transactions = IntStream.range(0, 60).<Callable<Boolean>>mapToObj((i) -> () -> {
			place.inTransaction(Isolation.values()[i % 2], (jdbc) -> place.fence.check(token(1 + i / 30)));
			return true;
		}).toList();
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			place.fence.announce(token(1));
			for (Future<Boolean> first : threads.invokeAll(transactions.subList(0, 30))) {
				assertThat(first.get()).isTrue();
			}
			place.fence.announce(token(2));
			for (Future<Boolean> second : threads.invokeAll(transactions.subList(30, 60))) {
				assertThat(second.get()).isTrue();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@ParameterizedTest
	@EnumSource
	void newLeadersThatAnnounceThemselvesAtOnceAreOrdered(Database database) throws Exception {
		Place place = this.places.get(database);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		try {
			List<Callable<Boolean>> leaders = IntStream.rangeClosed(1, 40)
				.<Callable<Boolean>>mapToObj((token) -> () -> {
					try {
						place.newFence().announce(token(token));
						return true;
					}
					catch (StaleLeaderException ex) {
						return false;
					}
				})
				.toList();
			List<Future<Boolean>> outcomes = threads.invokeAll(leaders);
			for (Future<Boolean> outcome : outcomes) {
				outcome.get();
			}
			assertThat(outcomes.get(39).get()).as("the newest").isTrue();
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(place.epoch()).isEqualTo(40);
	}

	/** What docs/guarantees.md says of a process that stops between check and commit. */
	@Test
	void aStoppedTransactionHoldsATakeoverUpUntilTheDatabaseEndsIt() {
		Place place = this.places.get(Database.POSTGRESQL);
		Owner leader = new Owner("leader", UUID.randomUUID().toString());
		Owner candidate = new Owner("candidate", UUID.randomUUID().toString());
		long token = ((Granted) place.store.acquire(List.of(new AcquireRequest(this.election, leader, LEASE, 0, true)))
			.get(0)).token();
		List<AcquireRequest> candidacy = List.of(new AcquireRequest(this.election, candidate, LEASE, 0, false));
		Throwable failure = catchThrowable(() -> place.inTransaction(Isolation.READ_COMMITTED, (jdbc) -> {
			jdbc.execute("SET LOCAL idle_in_transaction_session_timeout = '500ms'");
			place.write(jdbc, "stopped");
			place.fence.check(new FencingToken(this.election, token));
			place.store.release(List.of(new Lease(this.election, leader, token, LEASE)));
			assertThat(place.store.acquire(candidacy)).hasOnlyElementsOfType(Held.class);
			Awaitility.await().until(() -> place.store.acquire(candidacy).get(0) instanceof Granted);
		}));
		assertThat(failure).isNotNull().isNotInstanceOf(AssertionError.class);
		assertThat(place.written()).isEmpty();
	}

	@Test
	void withoutATransactionNothingPasses() {
		Place place = this.places.get(Database.H2);
		assertThatIllegalStateException().isThrownBy(() -> place.fence.check(token(1)))
			.withMessageContaining("There is no transaction on this DataSource");
		try (HikariDataSource other = new H2Memory().pool(1)) {
			TransactionTemplate elsewhere = new TransactionTemplate(new DataSourceTransactionManager(other));
			assertThatIllegalStateException()
				.isThrownBy(() -> elsewhere.executeWithoutResult((status) -> place.fence.check(token(1))))
				.withMessageContaining("the transaction manager of the same DataSource");
		}
	}

	@Test
	void theTimeoutOfTheCallersConnectionIsLeftAsItWas() throws Exception {
		Place place = this.places.get(Database.H2);
		place.inTransaction(Isolation.READ_COMMITTED, (jdbc) -> {
			place.fence.check(token(1));
			assertThat(jdbc.<Integer>execute((Connection connection) -> {
				try (var statement = connection.createStatement()) {
					return statement.getQueryTimeout();
				}
			})).isZero();
		});
	}

	@ParameterizedTest
	@EnumSource
	void aMissingTableIsFoundAndExplained(Database database) {
		Place place = this.places.get(database);
		JdbcFence fence = JdbcFence.on(place.pool).tableName("NOWHERE").build();
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(fence::validate)
			.withMessageContaining("NOWHERE_EPOCH")
			.withMessageContaining("schemas/v1/fence-%s.sql".formatted(JdbcDialect.valueOf(database.name()).platform()))
			.withMessageContaining("leader-election.jdbc.initialize-schema=always")
			.withMessageContaining("leader-election.fencing.jdbc.enabled=false");
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> fence.announce(token(1)));
		place.fence.validate();
		assertThat(place.jdbc
			.queryForObject("SELECT COUNT(*) FROM %s_EPOCH WHERE ELECTION = ' '".formatted(place.table), Integer.class))
			.isZero();
	}

	private FencingToken token(long value) {
		return new FencingToken(this.election, value);
	}

	/** Isolation levels, by the numbers that Spring and JDBC give them. */
	enum Isolation {

		READ_COMMITTED(TransactionDefinition.ISOLATION_READ_COMMITTED),

		REPEATABLE_READ(TransactionDefinition.ISOLATION_REPEATABLE_READ),

		SERIALIZABLE(TransactionDefinition.ISOLATION_SERIALIZABLE);

		private final int level;

		Isolation(int level) {
			this.level = level;
		}

	}

	/** A database with a fence and something to protect. */
	private final class Place {

		private final HikariDataSource pool;

		private final String table;

		private final JdbcTemplate jdbc;

		private final JdbcLeaseStore store;

		private JdbcFence fence;

		private Place(Database database) {
			TestDatabase server = database.server();
			this.table = server.createTables();
			this.pool = server.pool(6);
			this.jdbc = new JdbcTemplate(this.pool);
			this.jdbc.execute("CREATE TABLE %s_RESULT (WRITER VARCHAR(20))".formatted(this.table));
			this.store = JdbcLeaseStore.on(this.pool).tableName(this.table).build();
			this.fence = newFence();
		}

		private JdbcFence newFence() {
			return JdbcFence.on(this.pool).tableName(this.table).build();
		}

		private void inTransaction(Isolation isolation, Consumer<JdbcTemplate> work) {
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(this.pool));
			transaction.setIsolationLevel(isolation.level);
			transaction.executeWithoutResult((status) -> work.accept(this.jdbc));
		}

		/** On another connection, as a takeover does. */
		private void raise(FencingToken token) {
			try (Connection connection = this.pool.getConnection()) {
				TestDatabase.execute(connection,
						"UPDATE %s_EPOCH SET TOKEN = ? WHERE ELECTION = ?".formatted(this.table), token.value(),
						token.election());
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private void write(JdbcTemplate jdbc, String writer) {
			jdbc.update("INSERT INTO %s_RESULT VALUES (?)".formatted(this.table), writer);
		}

		private List<String> written() {
			return this.jdbc.queryForList("SELECT WRITER FROM %s_RESULT".formatted(this.table), String.class);
		}

		private long epoch() {
			Long token = this.jdbc.queryForObject("SELECT TOKEN FROM %s_EPOCH WHERE ELECTION = ?".formatted(this.table),
					Long.class, JdbcFenceTests.this.election);
			return (token != null) ? token : -1;
		}

	}

}
