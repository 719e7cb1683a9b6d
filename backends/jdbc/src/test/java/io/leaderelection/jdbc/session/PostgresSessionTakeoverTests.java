package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.wakeup.WakeUpListeners;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the leases of a session are taken over that has ended.
 */
@Timeout(60)
class PostgresSessionTakeoverTests extends PostgresSessionScene {

	@Test
	void aSessionThatEndsFreesItsLeaseAndEverybodyIsTold() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(LEASE);
		candidate.standsBy(LEASE);
		holder.loseSession();
		holder.hears("lost");
		candidate.hears(ELECTION);
		assertThat(candidate.wins(LEASE).token()).isGreaterThan(lease.token());
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
	void aTakeoverWaitsForTheDelay() {
		Duration delay = Duration.ofMillis(700);
		Node holder = new Node("a");
		Node candidate = new Node("b", (builder) -> builder.takeoverDelay(delay).build(), true);
		Lease lease = holder.wins(LEASE);
		candidate.standsBy(LEASE);
		long begun = System.nanoTime();
		holder.close();
		candidate.hears(ELECTION);
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

	@Test
	void eachWaitsForTheNextHigherKeyAndTheLastForTheFirst() {
		NavigableSet<Long> leading = new TreeSet<>(List.of(3L, 7L, 9L));
		assertThat(new LeadingSessions.Slice(1, leading, SHORT).target()).isEqualTo(3);
		assertThat(new LeadingSessions.Slice(7, leading, SHORT).target()).isEqualTo(9);
		assertThat(new LeadingSessions.Slice(9, leading, SHORT).target()).isEqualTo(3);
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
		leaders.stream()
			.filter((leader) -> leader != leaders.get(missed))
			.forEach((leader) -> leader.hears(leaders.get(missed).owner.nodeId()));
	}

	/** All keys are free there, that of this node among them. */
	@Test
	void aServerThatDoesNotKnowTheOwnSessionHasNotSeenOthersEnd() {
		LeadingSessions leading = new LeadingSessions(Duration.ofNanos(1));
		leading.own(new SessionMark("00000001", 7, 4711));
		leading.observed(Set.of(ELECTION), Map.of(ELECTION, new SessionMark("00000001", 7, 4712)));
		Queue<Connection> opened = new ConcurrentLinkedQueue<>();
		DataSource recording = new DelegatingDataSource(DirectConnections.besides(this.observing).dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				opened.add(super.getConnection());
				return opened.element();
			}

		};
		try (SessionWatcher watcher = new SessionWatcher(recording, leading, new WakeUpListeners())) {
			watcher.start();
			await().until(() -> !opened.isEmpty() && opened.element().isClosed());
			assertThat(leading.takeable()).isEmpty();
		}
	}

	@Test
	void aSessionTakesOneThreadMoreThanHints() {
		Node node = new Node("a");
		node.wins(LEASE);
		await().untilAsserted(() -> assertThat(threads()).containsExactlyInAnyOrder("leader-election-session",
				"leader-election-sessions"));
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

}
