package io.leaderelection.etcd;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.etcd.jetcd.Client;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.nodes.RunningNodesContract;
import io.leaderelection.nodes.TcpProxy;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on a real server, through what may happen to it.
 */
class EtcdElectionsTests extends RunningNodesContract {

	private static EtcdServer server;

	private static Client admin;

	private final String prefix = "/" + UUID.randomUUID();

	private final List<EtcdLeaseStore> stores = new ArrayList<>();

	private final List<LeaderElections> nodes = new ArrayList<>();

	@BeforeAll
	static void startServer() {
		server = EtcdServer.start();
		admin = server.connect();
	}

	@AfterAll
	static void stopServer() {
		if (server != null) {
			admin.close();
			server.close();
		}
	}

	@AfterEach
	void closeNodes() {
		this.nodes.forEach(LeaderElections::close);
		this.stores.forEach(EtcdLeaseStore::close);
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(server.connect());
	}

	private EtcdLeaseStore newStore(Client client) {
		EtcdLeaseStore store = new EtcdLeaseStore(client, this.prefix, Duration.ofSeconds(10), InstantSource.system(),
				client::close);
		this.stores.add(store);
		return store;
	}

	@Override
	protected void deleteAll() {
		EtcdServer.deleteAll(admin, this.prefix);
	}

	@Test
	void aCleanStopIsFollowedAtOnce() {
		LeaderElector one = node(newStore(), Duration.ofSeconds(10)).elector("reports");
		LeaderElector other = node(newStore(), Duration.ofSeconds(10)).elector("reports");
		List<Duration> handOvers = new ArrayList<>();
		Duration aside = Duration.ofMillis(300);
		for (int i = 0; i < 7; i++) {
			awaitCommonLeader(one, other);
			LeaderElector leader = one.isLeader() ? one : other;
			LeaderElector next = (leader == one) ? other : one;
			long start = System.nanoTime();
			leader.stepDown(aside);
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofNanos(100_000))
				.atMost(Duration.ofSeconds(20))
				.until(next::isLeader);
			handOvers.add(Duration.ofNanos(System.nanoTime() - start));
			// the former leader has to stand again
			await().pollDelay(aside).until(() -> true);
		}
		handOvers.sort(null);
		System.out.printf("Hand-over on etcd: median %.1f ms, longest %.1f ms%n", handOvers.get(3).toNanos() / 1e6,
				handOvers.get(6).toNanos() / 1e6);
		assertThat(handOvers.get(3)).isLessThan(Duration.ofMillis(500));
	}

	@Test
	void aCrashIsFollowedAtTheEndOfTheLease() {
		Duration lease = Duration.ofSeconds(2);
		Client crashing = server.connect();
		LeaderElector first = node(newStore(crashing), lease).elector("reports");
		await().until(first::isLeader);
		EtcdLeaseStore store = newStore(server.connect());
		LeaderElector second = node(store, lease).elector("reports");
		awaitCommonLeader(first, second);
		try (Overlaps overlaps = new Overlaps(List.of(first, second))) {
			assertThat(overlaps).isNotNull();
			crashing.close();
			long crashedAt = System.nanoTime();
			Duration remaining = store.read("reports").orElseThrow().remaining();
			await().until(second::isLeader);
			Duration missed = Duration.ofNanos(System.nanoTime() - crashedAt);
			System.out.printf("After a crash on etcd: %d ms after the end of the lease%n",
					missed.minus(remaining).toMillis());
			assertThat(missed).isLessThan(remaining.plusMillis(1000));
		}
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostOneStreamAndAFewTransactions() {
		Duration lease = Duration.ofMillis(1500);
		long streamsBefore = server.calls("LeaseKeepAlive");
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			LeaderElections node = node(newStore(), lease);
			IntStream.range(0, 100).forEach((election) -> electors.add(node.elector("election " + election)));
		}
		await().until(() -> electors.stream().filter(LeaderElector::isLeader).count() == 100);
		// at first they rehearse, whenever there is nothing else to do
		await().until(() -> isIdleForALease(lease));
		assertThat(server.calls("LeaseKeepAlive") - streamsBefore).isEqualTo(3);
		assertThat(server.calls("Range")).as("requests by other ways").isZero();
	}

	private static boolean isIdleForALease(Duration lease) {
		long before = server.calls("Txn");
		long start = System.nanoTime();
		await().pollDelay(lease).until(() -> true);
		long calls = server.calls("Txn") - before;
		double seconds = (System.nanoTime() - start) / 1e9;
		System.out.printf("3 nodes x 100 elections on etcd: %d transactions in %.1f s, %.2f per node and second%n",
				calls, seconds, calls / seconds / 3);
		long intervals = Math.round(seconds / (lease.toMillis() / 3000.0));
		// those who follow ask about once a lease, not all at once
		return calls >= 1 && calls <= 3 * (intervals + 2);
	}

	@Test
	void aServerThatHangsEndsLeadershipInTimeAndGivesItBack() {
		Duration lease = Duration.ofSeconds(2);
		LeaderElector elector = node(newStore(), lease).elector("reports");
		await().until(elector::isLeader);
		long pausedAt = System.nanoTime();
		server.pause();
		try {
			await().until(() -> !elector.isLeader());
			assertThat(Duration.ofNanos(System.nanoTime() - pausedAt)).isLessThan(lease.plusMillis(100));
		}
		finally {
			server.resume();
		}
		await().until(elector::isLeader);
	}

	@Test
	void aDataDirectoryThatWasReplacedMakesNoSecondLeaderAndNoLowerToken() {
		Duration lease = Duration.ofSeconds(2);
		LeaderElector one = node(newStore(), lease).elector("reports");
		LeaderElector other = node(newStore(), lease).elector("reports");
		awaitCommonLeader(one, other);
		long before = token(one, other);
		try (Overlaps overlaps = new Overlaps(List.of(one, other))) {
			assertThat(overlaps).isNotNull();
			server.wipe();
			await().until(() -> one.isLeader() || other.isLeader());
			awaitCommonLeader(one, other);
			assertThat(token(one, other)).isGreaterThanOrEqualTo(before);
		}
		this.nodes.forEach(LeaderElections::close);
		server.wipe();
		LeaderElector newcomer = node(newStore(), lease).elector("reports");
		await().until(newcomer::isLeader);
		assertThat(newcomer.fencingToken().orElseThrow().value()).isGreaterThan(before);
	}

	@Test
	void aWatchGoesOnThoughHistoryWasCompactedAndRevisionsWentBack() throws IOException {
		try (TcpProxy proxy = new TcpProxy(server::port)) {
			Duration lease = Duration.ofSeconds(6);
			LeaderElector leader = node(newStore(), lease).elector("reports");
			await().until(leader::isLeader);
			LeaderElector follower = node(newStore(EtcdServer.connect("http://127.0.0.1:" + proxy.port())), lease)
				.elector("reports");
			awaitCommonLeader(leader, follower);
			proxy.swallow();
			for (int i = 0; i < 3; i++) {
				long revision = admin.getKVClient()
					.put(Keys.bytes(this.prefix + "/unrelated"), Keys.bytes("x"))
					.orTimeout(10, TimeUnit.SECONDS)
					.join()
					.getHeader()
					.getRevision();
				admin.getKVClient().compact(revision).orTimeout(10, TimeUnit.SECONDS).join();
			}
			proxy.forwardNewOnly();
			proxy.reset();
			// the client watches again after half a second, which would be a hint by
			// itself
			await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
			awaitHandOver(leader, follower);
			server.wipe();
			awaitCommonLeader(leader, follower);
			awaitHandOver(follower, leader);
		}
	}

	/** Within a part of the lease, so by a hint. */
	private static void awaitHandOver(LeaderElector from, LeaderElector to) {
		Awaitility.await().atMost(Duration.ofSeconds(4)).until(() -> {
			if (from.isLeader()) {
				from.stepDown(Duration.ofSeconds(3));
			}
			return to.isLeader();
		});
	}

	private static long token(LeaderElector... electors) {
		return List.of(electors)
			.stream()
			.flatMap((elector) -> elector.fencingToken().stream())
			.mapToLong((token) -> token.value())
			.max()
			.orElseThrow();
	}

	private static void awaitCommonLeader(LeaderElector one, LeaderElector other) {
		await().until(() -> (one.isLeader() || other.isLeader()) && one.getCurrentLeader().isPresent()
				&& one.getCurrentLeader().equals(other.getCurrentLeader()));
	}

	private LeaderElections node(LeaseStore store, Duration lease) {
		LeaderElections node = LeaderElections.on(store)
			.nodeId("node-" + (this.nodes.size() + 1))
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		node.start();
		return node;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

}
