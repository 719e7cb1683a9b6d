package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.JdbcMode;
import io.leaderelection.jdbc.RewritingDataSource;
import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.wakeup.NotificationConnection;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.WakeUps;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A node's own session with PostgreSQL, and the leases that are bound to it.
 */
@Timeout(60)
class PostgresSessionTests extends PostgresSessionScene {

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
		assertWhoComesHearsNothing(holder);
	}

	@Test
	void aLossThatWasToldIsNotToldToWhoeverComes() {
		Node holder = new Node("a");
		holder.wins(LEASE);
		holder.loseSession();
		holder.hears("lost");
		assertWhoComesHearsNothing(holder);
	}

	private static void assertWhoComesHearsNothing(Node node) {
		node.heard.clear();
		node.watch();
		assertThat(node.heard).doesNotContain("lost");
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
		for (Duration lease : List.of(SHORT, LEASE)) {
			Granted granted = (Granted) holder.asks("election of " + lease, lease);
			assertThat(granted.validFor()).isBetween(lease.multipliedBy(3).dividedBy(4), lease);
		}
		assertThat(((Granted) holder.asks("another", SHORT)).validFor()).isEqualTo(SHORT);
	}

	@Test
	void soIsTheLongestLeaseOfOneCall() {
		Node holder = new Node("a");
		List<AcquireResult> answers = holder.store
			.acquire(List.of(new AcquireRequest("one", holder.owner, LEASE, 0, true),
					new AcquireRequest("other", holder.owner, SHORT, 0, true)));
		assertThat(((Granted) answers.get(0)).validFor()).isGreaterThan(LEASE.dividedBy(2));
	}

	@Test
	void aShorterLeaseDoesNotShortenTheSessionOfALongerOne() throws Exception {
		Duration longer = SHORT.multipliedBy(2);
		try (PostgresSession session = session(DirectConnections.besides(this.observing).dataSource(), SHORT)) {
			session.bind(longer);
			Duration aged = longer.minusMillis(100);
			await().until(() -> session.bind(SHORT).validFor(longer).compareTo(aged) < 0);
			await().until(() -> session.bind(SHORT).validFor(longer).compareTo(aged) > 0);
		}
	}

	@Test
	void aLeaseThatIsLongerThanAnyTimeoutIsLimited() throws Exception {
		Duration year = Duration.ofDays(365);
		try (PostgresSession session = session(DirectConnections.besides(this.observing).dataSource(), SHORT)) {
			assertThat(session.bind(year).validFor(year)).isBetween(Duration.ofDays(23), Duration.ofDays(25));
		}
	}

	/** If a sign of life happens to be sent during the call, all of the lease counts. */
	@Test
	void aLeaseLastsNoLongerThanItsSession() {
		Node holder = new Node("a");
		Lease lease = holder.wins(SHORT);
		await().until(() -> holder.renews(lease) instanceof RenewResult.Renewed renewed
				&& renewed.validFor().compareTo(SHORT) < 0);
		await().until(() -> holder.asks(SHORT) instanceof Granted granted && granted.validFor().compareTo(SHORT) < 0);
	}

	@Test
	void aSignOfLifeCountsFromBeforeItWasSent() throws Exception {
		DataSource slow = new RewritingDataSource(DirectConnections.besides(this.observing).dataSource(), "SELECT 1",
				"SELECT pg_sleep(0.3)");
		try (Connection connection = slow.getConnection()) {
			OpenSession session = OpenSession.on(connection, SHORT);
			session.prove(connection, SHORT);
			assertThat(session.lasts(OpenSession.Moment.now())).isLessThanOrEqualTo(SHORT.minusMillis(300));
		}
	}

	@Test
	void whatIsGrantedToASessionThatEndsMeanwhileDoesNotCount() throws Exception {
		try (PostgresSession session = session(DirectConnections.besides(this.observing).dataSource(), SHORT)) {
			SessionBinding binding = session.bind(SHORT);
			assertThat(binding.validFor(SHORT)).isPositive();
			sessions().forEach(this::terminate);
			await().untilAsserted(
					() -> assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> binding.validFor(SHORT))
						.withMessageContaining("has ended meanwhile"));
		}
	}

	/** A server that loses a session by itself tells the others when it pleases. */
	@Test
	void aSessionThatIsGivenUpHereEndsAfterItsLeaderHasHeardOfIt() throws Exception {
		DataSource refusing = new RewritingDataSource(DirectConnections.besides(this.observing).dataSource(),
				"SELECT 1", "SELECT 1 / 0");
		CompletableFuture<List<Long>> whenHeard = new CompletableFuture<>();
		try (PostgresSession session = session(refusing, SHORT)) {
			session.watch(new Deaf() {

				@Override
				public void leasesLost() {
					whenHeard.complete(sessionsAfterAMoment());
				}

			});
			assertThat(whenHeard).succeedsWithin(LEASE).asInstanceOf(InstanceOfAssertFactories.LIST).isNotEmpty();
		}
	}

	/** The server needs a moment to notice that a connection was closed. */
	private List<Long> sessionsAfterAMoment() {
		this.observer.queryForList("SELECT pg_sleep(0.1)");
		return sessions();
	}

	@Test
	void theServerEndsASessionThatIsSilentForItsTimeout() throws Exception {
		try (Connection connection = NotificationConnection
			.open(DirectConnections.besides(this.observing).dataSource())) {
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
			OpenSession.Moment setBack = new OpenSession.Moment(System.nanoTime() + Duration.ofMinutes(1).toNanos(),
					System.currentTimeMillis());
			assertThat(session.lasts(setBack)).isNegative();
			session.prove(connection, SHORT);
			assertThat(session.lasts(OpenSession.Moment.now())).isBetween(Duration.ofSeconds(1), SHORT);
			connection.createStatement().execute("SELECT pg_advisory_unlock_all()");
			connection.createStatement().execute("RESET idle_session_timeout");
		}
	}

	@Test
	void aMillisecondThatIsPartlyOverCountsAsOver() {
		assertThat(new OpenSession.Moment(0, 5).since(new OpenSession.Moment(0, 4))).isEqualTo(Duration.ofMillis(2));
	}

	@Test
	void aSessionThatWasClosedIsNotUsedAgain() throws Exception {
		PostgresSession session = session(DirectConnections.besides(this.observing).dataSource(), SHORT);
		try {
			long closed = key(session.bind(SHORT));
			session.close();
			assertThat(key(session.bind(SHORT))).isNotEqualTo(closed);
		}
		finally {
			session.close();
		}
	}

	@Test
	void aSessionThatIsNotThereInTimeIsNobodysWhenItComes() throws Exception {
		CountDownLatch reachable = new CountDownLatch(1);
		DataSource slow = new DelegatingDataSource(DirectConnections.besides(this.observing).dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				try {
					reachable.await();
				}
				catch (InterruptedException ex) {
					throw new SQLException(ex);
				}
				return super.getConnection();
			}

		};
		PostgresSession session = session(slow, Duration.ofMillis(300));
		try {
			assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(() -> session.bind(SHORT))
				.withMessageContaining("no session within");
			session.close();
			reachable.countDown();
			await().until(() -> threads().isEmpty());
			await().until(() -> sessions().isEmpty());
			long key = key(await().ignoreExceptionsInstanceOf(SQLException.class)
				.until(() -> session.bind(SHORT), Objects::nonNull));
			assertThat(this.observer.queryForObject("SELECT " + SessionConditions.tryLock(String.valueOf(key)),
					Boolean.class))
				.as("the session has ended")
				.isFalse();
		}
		finally {
			session.close();
		}
	}

	@Test
	void whatIsWrongWithAnEarlierSessionDoesNotEndThePresentOne() throws Exception {
		try (PostgresSession session = session(DirectConnections.besides(this.observing).dataSource(), SHORT)) {
			SessionBinding earlier = session.bind(SHORT);
			sessions().forEach(this::terminate);
			await().until(() -> key(session.bind(SHORT)) != key(earlier) && sessions().size() == 1);
			List<Long> present = sessions();
			earlier.failed(new SessionEndedException());
			assertThat(sessionsAfterAMoment()).isEqualTo(present);
		}
	}

	private static PostgresSession session(DataSource dataSource, Duration patience) {
		return new PostgresSession(dataSource, null, patience, Duration.ZERO);
	}

	private static long key(SessionBinding binding) {
		return SessionMark.of(binding.owner(new Owner("a", "1")).incarnation()).orElseThrow().key();
	}

	@Test
	void aKeyThatSomebodyElseHasLockedIsNotUsed() throws Exception {
		try (Connection one = NotificationConnection.open(DirectConnections.besides(this.observing).dataSource());
				Connection other = NotificationConnection
					.open(DirectConnections.besides(this.observing).dataSource())) {
			Iterator<Long> drawn = List.of(4711L, 4711L, 4712L).iterator();
			assertThat(OpenSession.on(one, SHORT, drawn::next).mark().key()).isEqualTo(4711);
			assertThat(OpenSession.on(other, SHORT, drawn::next).mark().key()).isEqualTo(4712);
		}
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
	void theLastWatchEndsTheSession() {
		Node node = new Node("a");
		Lease lease = node.wins(LEASE);
		node.watch();
		node.unwatch();
		assertThat(node.renews(lease)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(sessions()).containsExactly(node.session);
		node.unwatch();
		await().until(() -> sessions().isEmpty());
		await().until(() -> threads().isEmpty());
	}

	/**
	 * Does nothing when it is woken up.
	 */
	private abstract static class Deaf implements WakeUps {

		@Override
		public void wakeUp(String election) {
		}

		@Override
		public void wakeUpAll() {
		}

	}

}
