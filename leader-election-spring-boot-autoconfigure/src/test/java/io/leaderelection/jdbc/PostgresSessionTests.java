package io.leaderelection.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Leases that are bound to sessions with PostgreSQL.
 */
@Timeout(60)
class PostgresSessionTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration SHORT = Duration.ofSeconds(2);

	private static final String ELECTION = "reports";

	private final PostgresServer server = PostgresServer.shared();

	private final String table = this.server.createTables();

	private final List<Node> nodes = new ArrayList<>();

	private final HikariDataSource observing = this.server.pool(2);

	private final JdbcTemplate observer = new JdbcTemplate(this.observing);

	@AfterEach
	void close() {
		this.nodes.forEach(Node::close);
		this.observing.close();
	}

	@Test
	void aSessionThatEndsFreesItsLeaseAndEverybodyIsTold() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(LEASE);
		candidate.standsBy(LEASE);
		holder.loseSession();
		holder.hears("lost");
		candidate.hears("all");
		assertThat(candidate.wins(LEASE).token()).isGreaterThan(lease.token());
	}

	@Test
	void aFormerHoldersRenewalIsLost() {
		Node holder = new Node("a");
		Lease lease = holder.wins(LEASE);
		holder.loseSession();
		holder.hears("lost");
		assertThat(holder.renews(lease)).isInstanceOf(RenewResult.Lost.class);
	}

	@Test
	void aFormerHolderMayTakeItsLeaseAgainWithAHigherToken() {
		Node holder = new Node("a");
		Lease lease = holder.wins(LEASE);
		holder.loseSession();
		holder.hears("lost");
		assertThat(holder.wins(LEASE).token()).isGreaterThan(lease.token());
	}

	@Test
	void aLossThatNobodyCouldBeToldOfIsToldToWhoeverComes() {
		Node holder = new Node("a", JdbcLeaseStore.Builder::build, false);
		holder.wins(LEASE);
		holder.loseSession();
		await().until(() -> !sessions().contains(holder.session));
		holder.watch();
		holder.hears("lost");
	}

	@Test
	void aLeaseEndsWithoutRenewalThoughItsSessionLasts() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(SHORT);
		candidate.isRefused(SHORT);
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
		assertThat(sessions()).contains(holder.session);
		assertThat(holder.renews(lease)).isInstanceOf(RenewResult.Lost.class);
	}

	@Test
	void aSessionLastsForManyTimesItsTimeout() {
		Node holder = new Node("a");
		Lease lease = holder.wins(Duration.ofSeconds(1));
		long begun = System.nanoTime();
		await().until(() -> {
			assertThat(holder.renews(lease)).isInstanceOf(RenewResult.Renewed.class);
			return System.nanoTime() - begun > Duration.ofSeconds(3).toNanos();
		});
		assertThat(sessions()).containsExactly(holder.session);
	}

	@Test
	void theLongestLeaseIsTheTimeoutOfTheSession() {
		Node holder = new Node("a");
		for (Duration lease : List.of(SHORT, LEASE, SHORT)) {
			Granted granted = (Granted) holder.asks("election of " + lease, lease);
			assertThat(granted.validFor()).isBetween(lease.multipliedBy(3).dividedBy(4), lease);
		}
	}

	@Test
	void theServerEndsASessionThatIsSilentForItsTimeout() throws Exception {
		try (Connection connection = AttendedConnection.open(OwnConnections.besides(this.observing).dataSource())) {
			OpenSession.on(connection, Duration.ofSeconds(1));
			long begun = System.nanoTime();
			assertThat(sessions()).hasSize(1);
			await().until(() -> sessions().isEmpty());
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(900),
					Duration.ofSeconds(5));
		}
	}

	@Test
	void whatIsGrantedLastsNoLongerThanTheServerIsSureToKeepTheSession() throws Exception {
		try (Connection connection = this.observing.getConnection()) {
			OpenSession session = OpenSession.on(connection, SHORT);
			OpenSession.Moment later = new OpenSession.Moment(System.nanoTime() + Duration.ofSeconds(1).toNanos(),
					System.currentTimeMillis() + 1000);
			assertThat(session.lasts(later)).isLessThanOrEqualTo(Duration.ofSeconds(1));
			OpenSession.Moment suspended = new OpenSession.Moment(System.nanoTime(),
					System.currentTimeMillis() + 60_000);
			assertThat(session.lasts(suspended)).isNegative();
			session.prove(connection, SHORT);
			assertThat(session.lasts(OpenSession.Moment.now())).isBetween(Duration.ofSeconds(1), SHORT);
			connection.createStatement().execute("SELECT pg_advisory_unlock_all()");
			connection.createStatement().execute("RESET idle_session_timeout");
		}
	}

	@Test
	void aKeyThatSomebodyElseHasLockedIsNotUsed() throws Exception {
		try (Connection one = AttendedConnection.open(OwnConnections.besides(this.observing).dataSource());
				Connection other = AttendedConnection.open(OwnConnections.besides(this.observing).dataSource())) {
			Iterator<Long> drawn = List.of(4711L, 4711L, 4712L).iterator();
			assertThat(OpenSession.on(one, SHORT, drawn::next).mark().key()).isEqualTo(4711);
			assertThat(OpenSession.on(other, SHORT, drawn::next).mark().key()).isEqualTo(4712);
		}
	}

	@Test
	void aKeyThatIsLockedByAStrangerDelaysATakeoverUntilTheLeaseEndsAndNoLonger() throws Exception {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(SHORT);
		candidate.isRefused(SHORT);
		long key = holder.key();
		try (Connection stranger = this.observing.getConnection()) {
			holder.close();
			TestDatabase.execute(stranger, "SELECT pg_advisory_lock(%d)".formatted(key));
			Held held = (Held) candidate.asks(SHORT);
			assertThat(held.remaining()).isPositive();
			await().until(() -> candidate.asks(SHORT) instanceof Granted);
			TestDatabase.execute(stranger, "SELECT pg_advisory_unlock_all()");
		}
		assertThat(candidate.row().token()).isGreaterThan(lease.token());
	}

	@Test
	void nodesOfBothModesWaitForEachOther() {
		Node bySession = new Node("session");
		Node byTime = new Node("time", (builder) -> builder.mode(JdbcMode.LEASE).build(), true);
		Lease first = bySession.wins(SHORT);
		byTime.isRefused(SHORT);
		assertThat(bySession.renews(first)).isInstanceOf(RenewResult.Renewed.class);
		bySession.releases(first);
		byTime.hears(ELECTION);
		Lease second = byTime.wins(SHORT);
		bySession.isRefused(SHORT);
		assertThat(byTime.renews(second)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(bySession.isRefused(SHORT).nodeId()).contains("time");
		await().until(() -> bySession.asks(SHORT) instanceof Granted);
		bySession.wins(SHORT);
		assertThat(byTime.renews(second)).isInstanceOf(RenewResult.Lost.class);
		bySession.loseSession();
		Held held = byTime.isRefused(SHORT);
		assertThat(held.nodeId()).contains("session");
		await().until(() -> byTime.asks(SHORT) instanceof Granted);
	}

	@Test
	void aNodeThatReadsTheLeaseSeesItsOwner() {
		Node holder = new Node("a");
		Node byTime = new Node("b", (builder) -> builder.mode(JdbcMode.LEASE).build(), false);
		holder.wins(LEASE);
		assertThat(holder.store.read(ELECTION).orElseThrow().holder()).contains(holder.owner);
		assertThat(byTime.store.read(ELECTION).orElseThrow().holder()).contains(holder.owner);
	}

	@Test
	void theLeaseOfAnotherRunOfTheServerIsWaitedOut() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		holder.wins(SHORT);
		String mark = candidate.row().incarnation();
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = ?".formatted(this.table),
				mark.replaceFirst(":[0-9]+:", ":1234567890123456:"));
		holder.close();
		assertThat(candidate.isRefused(SHORT).remaining()).isPositive();
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
	}

	@Test
	void theLeaseOfAnotherTimelineIsNobodysForOneLease() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(SHORT);
		holder.releases(lease);
		assertThat(candidate.row().incarnation()).matches("@[0-9A-F]{8}");
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = '@0000000A'".formatted(this.table));
		long begun = System.nanoTime();
		assertThat(candidate.isRefused(SHORT).remaining()).isEqualTo(SHORT);
		assertThat(candidate.isRefused(SHORT).remaining()).isBetween(Duration.ZERO, SHORT);
		assertThat(holder.isRefused(SHORT).nodeId()).isEmpty();
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void aHeldLeaseOfAnotherTimelineIsNobodysForOneLease() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(LEASE);
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = ?".formatted(this.table),
				candidate.row().incarnation().replaceFirst("@[0-9A-F]{8}", "@0000000A"));
		assertThat(candidate.isRefused(SHORT).nodeId()).isEmpty();
		assertThat(holder.renews(lease)).isInstanceOf(RenewResult.Lost.class);
		assertThat(candidate.row().token()).isEqualTo(lease.token());
	}

	@Test
	void aTakeoverWaitsForTheDelay() {
		Duration delay = Duration.ofMillis(700);
		Node holder = new Node("a");
		Node candidate = new Node("b", (builder) -> builder.takeoverDelay(delay).build(), true);
		Lease lease = holder.wins(LEASE);
		candidate.standsBy(LEASE);
		long begun = System.nanoTime();
		holder.close();
		candidate.hears("all");
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(delay);
		assertThat(candidate.wins(LEASE).token()).isGreaterThan(lease.token());
	}

	@Test
	void untilTheDelayIsOverTheLeaseIsHeld() {
		Node holder = new Node("a");
		Node candidate = new Node("b", (builder) -> builder.takeoverDelay(LEASE).build(), true);
		holder.wins(SHORT);
		candidate.isRefused(SHORT);
		holder.close();
		await().until(() -> sessions().size() == 1);
		assertThat(candidate.isRefused(SHORT).nodeId()).contains("a");
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void ofSeveralThatLeadEachIsMissedByAllOthers(int missed) {
		List<Node> leaders = List.of(new Node("a"), new Node("b"), new Node("c"));
		leaders.forEach((leader) -> leader.wins(leader.owner.nodeId(), LEASE));
		for (Node leader : leaders) {
			leaders.stream()
				.filter((other) -> other != leader)
				.forEach((other) -> assertThat(leader.asks(other.owner.nodeId(), LEASE)).isInstanceOf(Held.class));
		}
		await().until(() -> waiting() == 3);
		leaders.forEach((leader) -> leader.heard.clear());
		leaders.get(missed).loseSession();
		leaders.stream().filter((leader) -> leader != leaders.get(missed)).forEach((leader) -> leader.hears("all"));
	}

	@Test
	void theLastWatchEndsTheSession() {
		Node node = new Node("a");
		node.wins(LEASE);
		assertThat(sessions()).containsExactly(node.session);
		node.unwatch();
		await().until(() -> sessions().isEmpty());
		await().until(() -> threads().isEmpty());
	}

	@Test
	void aSessionTakesOneThreadMoreThanHints() {
		Node node = new Node("a");
		node.wins(LEASE);
		await().untilAsserted(() -> assertThat(threads()).containsExactlyInAnyOrder("leader-election-session",
				"leader-election-sessions"));
	}

	@Test
	void nothingIsGrantedIfTheRowsAreOnAnotherServer() {
		HikariDataSource elsewhere = new HikariDataSource();
		elsewhere.setJdbcUrl(this.server.url().replaceFirst("/postgres$", "/template1"));
		elsewhere.setUsername(this.server.user());
		try (elsewhere) {
			Node node = new Node("a", (builder) -> builder.sessionFrom(elsewhere).build(), false);
			assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asks(LEASE))
				.withMessageContaining("another server or database");
			assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(node.store::validate)
				.withMessageContaining("another server or database")
				.withMessageContaining("leader-election.jdbc.mode=lease");
		}
	}

	@Test
	void aPoolerInBetweenIsRefused() {
		assertRefused("pg_backend_pid()", "pg_backend_pid() + 1", "PgBouncer");
	}

	@Test
	void aServerThatDoesNotEndIdleSessionsIsRefused() {
		assertRefused("current_setting('server_version_num')", "'130012'", "PostgreSQL 14 or later");
	}

	private void assertRefused(String part, String replacement, String reason) {
		Node node = new Node("a",
				(builder) -> builder
					.sessionFrom(new RewritingDataSource(OwnConnections.besides(this.observing).dataSource(), part,
							replacement))
					.build(),
				false);
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(node.store::validate)
			.withMessageContaining("leader-election.jdbc.mode is 'session'")
			.withMessageContaining(reason)
			.withMessageContaining("leader-election.jdbc.mode=lease");
		assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(() -> node.asks(LEASE))
			.withMessageContaining(reason);
	}

	@Test
	void aStandbyServerIsNotUsedButMayBeLater() {
		Node node = new Node("a",
				(builder) -> builder
					.sessionFrom(new RewritingDataSource(OwnConnections.besides(this.observing).dataSource(),
							"pg_is_in_recovery()", "TRUE"))
					.build(),
				false);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asks(LEASE))
			.withMessageContaining("standby");
	}

	@Test
	void aDataSourceThatHidesItsUrlIsRefused() {
		HikariDataSource pool = this.server.pool(1);
		try (JdbcLeaseStore store = JdbcLeaseStore.on(new ObservedDataSource(pool) {

			@Override
			public boolean isWrapperFor(Class<?> type) {
				return false;
			}

		}).tableName(this.table).mode(JdbcMode.SESSION).build(); pool) {
			assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(store::validate)
				.withMessageContaining("sessionFrom");
		}
	}

	@Test
	void aValidStoreIsTriedWithoutATrace() {
		Node node = new Node("a", JdbcLeaseStore.Builder::build, false);
		node.store.validate();
		assertThat(this.observer.queryForList("SELECT * FROM " + this.table)).isEmpty();
		await().until(() -> sessions().isEmpty());
	}

	@Test
	void anIndexIsCreatedConcurrentlyWhileFollowersWait() {
		Node holder = new Node("a");
		holder.wins(LEASE);
		List<Node> followers = List.of(new Node("b"), new Node("c"));
		followers.forEach((follower) -> follower.isRefused(LEASE));
		await().until(() -> waiting() == 2);
		this.observer.execute("CREATE TABLE %s_DATA (ID INTEGER)".formatted(this.table));
		this.observer.execute("CREATE INDEX CONCURRENTLY ON %s_DATA (ID)".formatted(this.table));
		assertThat(waiting()).isEqualTo(2);
		followers.forEach((follower) -> follower.isRefused(LEASE));
	}

	/** Those who wait right now, or are between two slices. */
	private int waiting() {
		Integer waiting = this.observer.queryForObject(
				"SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'leader-election sessions'",
				Integer.class);
		return (waiting != null) ? waiting : 0;
	}

	private List<Long> sessions() {
		return this.observer.queryForList(
				"SELECT pid FROM pg_stat_activity WHERE application_name = 'leader-election session'", Long.class);
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("leader-election"))
			.toList();
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(20));
	}

	/**
	 * The row of the election.
	 */
	private record Row(long token, String incarnation) {
	}

	/**
	 * A node's store, and what it was told.
	 */
	private final class Node implements WakeUps {

		private final Owner owner;

		private final HikariDataSource pool = PostgresSessionTests.this.server.pool(1);

		private final JdbcLeaseStore store;

		private final Queue<String> heard = new ConcurrentLinkedQueue<>();

		private Watch watch;

		private long session;

		private Node(String id) {
			this(id, JdbcLeaseStore.Builder::build, true);
		}

		private Node(String id, Function<JdbcLeaseStore.Builder, JdbcLeaseStore> building, boolean watching) {
			this.owner = new Owner(id, UUID.randomUUID().toString());
			this.store = building
				.apply(JdbcLeaseStore.on(this.pool).tableName(PostgresSessionTests.this.table).mode(JdbcMode.SESSION));
			PostgresSessionTests.this.nodes.add(this);
			if (watching) {
				watch();
			}
		}

		private void watch() {
			this.watch = this.store.watch(this).orElseThrow();
			this.heard.remove("all");
		}

		private void unwatch() {
			this.watch.close();
		}

		private AcquireResult asks(Duration lease) {
			return asks(ELECTION, lease);
		}

		private AcquireResult asks(String election, Duration lease) {
			return this.store.acquire(List.of(new Candidacy(election, this.owner, lease, 0, true))).get(0);
		}

		private Lease wins(Duration lease) {
			return wins(ELECTION, lease);
		}

		private Lease wins(String election, Duration lease) {
			AcquireResult answer = asks(election, lease);
			assertThat(answer).isInstanceOf(Granted.class);
			this.session = lookForSession();
			return new Lease(election, this.owner, ((Granted) answer).token(), lease);
		}

		private Held isRefused(Duration lease) {
			AcquireResult answer = asks(lease);
			assertThat(answer).isInstanceOf(Held.class);
			return (Held) answer;
		}

		/** Is refused, and waits for the session of the holder from then on. */
		private void standsBy(Duration lease) {
			isRefused(lease);
			await().until(() -> waiting() > 0);
			this.heard.clear();
		}

		private RenewResult renews(Lease lease) {
			return this.store.renew(List.of(new Renewal(lease, false))).get(0);
		}

		private void releases(Lease lease) {
			this.store.release(List.of(lease));
		}

		private Row row() {
			return PostgresSessionTests.this.observer.queryForObject(
					"SELECT TOKEN, OWNER_INCARNATION FROM " + PostgresSessionTests.this.table,
					(row, number) -> new Row(row.getLong(1), row.getString(2)));
		}

		private long key() {
			return SessionMark.of(row().incarnation()).orElseThrow().key();
		}

		/** The server process of the session that a lease is bound to, if it is. */
		private long lookForSession() {
			List<Long> pids = PostgresSessionTests.this.observer.queryForList(
					("SELECT l.pid FROM pg_locks l JOIN %s t ON t.OWNER_NODE = ? WHERE l.locktype = 'advisory' AND l.granted "
							+ "AND (CAST(l.classid AS BIGINT) << 32 | CAST(l.objid AS BIGINT)) = "
							+ "CAST(substring(t.OWNER_INCARNATION FROM '[0-9]+$') AS BIGINT)")
						.formatted(PostgresSessionTests.this.table),
					Long.class, this.owner.nodeId());
			return pids.stream().findFirst().orElse(0L);
		}

		private void loseSession() {
			PostgresSessionTests.this.observer.queryForList("SELECT pg_terminate_backend(CAST(? AS INTEGER))",
					this.session);
		}

		private void hears(String what) {
			await().until(() -> this.heard.contains(what));
		}

		@Override
		public void wakeUp(String election) {
			this.heard.add(election);
		}

		@Override
		public void wakeUpAll() {
			this.heard.add("all");
		}

		@Override
		public void leasesLost() {
			this.heard.add("lost");
		}

		private void close() {
			if (this.watch != null) {
				this.watch.close();
			}
			this.store.close();
			this.pool.close();
		}

	}

}
