package io.leaderelection.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.fabric8.kubernetes.client.KubernetesClient;
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
 * Running elections on an emulated API server, through what may happen to a real one.
 */
class KubernetesElectionsTests extends RunningNodesContract {

	private static EmulatedApiServer server;

	private static TcpProxy proxy;

	private final String prefix = "x" + UUID.randomUUID();

	private final List<KubernetesLeaseStore> stores = new ArrayList<>();

	private final List<LeaderElections> nodes = new ArrayList<>();

	@BeforeAll
	static void startServer() {
		server = new EmulatedApiServer();
		proxy = new TcpProxy(server::port);
	}

	@AfterAll
	static void stopServer() throws IOException {
		proxy.close();
		server.close();
	}

	@AfterEach
	void closeNodes() {
		this.nodes.forEach(LeaderElections::close);
		this.stores.forEach(KubernetesLeaseStore::close);
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(server.connect());
	}

	private KubernetesLeaseStore newStore(KubernetesClient client) {
		KubernetesLeaseStore store = new KubernetesLeaseStore(client, EmulatedApiServer.NAMESPACE, this.prefix,
				InstantSource.system(), client::close);
		this.stores.add(store);
		return store;
	}

	@Override
	protected void deleteAll() {
		server.deleteAll(this.prefix);
	}

	@Test
	void aCleanStopIsFollowedAtOnce() {
		LeaderElector one = node(newStore(), Duration.ofSeconds(10)).elector("reports");
		LeaderElector other = node(newStore(), Duration.ofSeconds(10)).elector("reports");
		List<Duration> handOvers = new ArrayList<>();
		Duration aside = Duration.ofMillis(300);
		for (int i = 0; i < 11; i++) {
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
		System.out.printf("Hand-over on Kubernetes: median %.1f ms, longest %.1f ms%n",
				handOvers.get(5).toNanos() / 1e6, handOvers.get(10).toNanos() / 1e6);
		assertThat(handOvers.get(5)).isLessThan(Duration.ofMillis(500));
	}

	@Test
	void aCrashIsFollowedAtTheEndOfTheLease() {
		Duration lease = Duration.ofSeconds(2);
		KubernetesClient crashing = server.connect();
		LeaderElector first = node(newStore(crashing), lease).elector("reports");
		await().until(first::isLeader);
		KubernetesLeaseStore store = newStore(server.connect());
		LeaderElector second = node(store, lease).elector("reports");
		awaitCommonLeader(first, second);
		try (Overlaps overlaps = new Overlaps(List.of(first, second))) {
			assertThat(overlaps).isNotNull();
			crashing.close();
			long crashedAt = System.nanoTime();
			Duration remaining = store.read("reports").orElseThrow().remaining();
			await().until(second::isLeader);
			Duration missed = Duration.ofNanos(System.nanoTime() - crashedAt);
			System.out.printf("After a crash on Kubernetes: %d ms after the end of the lease%n",
					missed.minus(remaining).toMillis());
			assertThat(missed).isLessThan(remaining.plusMillis(1000));
		}
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostOneRequestPerElectionAndRenewInterval() {
		Duration lease = Duration.ofMillis(4500);
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			LeaderElections node = node(newStore(), lease);
			IntStream.range(0, 100).forEach((election) -> electors.add(node.elector("election " + election)));
		}
		await().until(() -> electors.stream().filter(LeaderElector::isLeader).count() == 100);
		// they rehearse as soon as there is nothing else to do
		await().pollDelay(lease).until(() -> true);
		List<String> methods = List.of("GET", "POST", "PUT", "PATCH", "WATCH");
		List<Integer> before = methods.stream().map(server::requests).toList();
		long start = System.nanoTime();
		await().pollDelay(lease).until(() -> true);
		double seconds = (System.nanoTime() - start) / 1e9;
		StringBuilder counted = new StringBuilder();
		int all = 0;
		for (int i = 0; i < methods.size(); i++) {
			int count = server.requests(methods.get(i)) - before.get(i);
			all += count;
			counted.append(' ').append(count).append(' ').append(methods.get(i));
		}
		double intervals = seconds / (lease.toMillis() / 3000.0);
		System.out.printf(
				"3 nodes x 100 elections on Kubernetes:%s in %.1f s; %.1f per node and second, %.2f per election and "
						+ "renew interval%n",
				counted, seconds, all / seconds / 3, all / intervals / 100);
		assertThat(server.requests("PUT") - before.get(2)).isPositive();
		assertThat(all / intervals / 100).isLessThan(1.4);
	}

	@Test
	void aServerThatHangsEndsLeadershipInTimeAndGivesItBack() {
		Duration lease = Duration.ofSeconds(2);
		LeaderElector elector = node(newStore(EmulatedApiServer.connect(proxy.port())), lease).elector("reports");
		await().until(elector::isLeader);
		long pausedAt = System.nanoTime();
		proxy.swallow();
		try {
			await().until(() -> !elector.isLeader());
			assertThat(Duration.ofNanos(System.nanoTime() - pausedAt)).isLessThan(lease.plusMillis(100));
		}
		finally {
			proxy.forward();
		}
		await().until(elector::isLeader);
	}

	@Test
	void aBusyServerEndsNoLeadership() {
		Duration lease = Duration.ofSeconds(3);
		LeaderElector elector = node(newStore(), lease).elector("reports");
		await().until(elector::isLeader);
		long token = elector.fencingToken().orElseThrow().value();
		for (int code : new int[] { 429, 500, 503 }) {
			int before = server.requests("PUT");
			server.refuseNext(4, code);
			await().until(() -> server.requests("PUT") >= before + 5);
			assertThat(elector.isLeader()).isTrue();
		}
		assertThat(elector.fencingToken().orElseThrow().value()).isEqualTo(token);
	}

	@Test
	void aWatchGoesOnThoughItsVersionIsGone() {
		Duration lease = Duration.ofSeconds(10);
		LeaderElector leader = node(newStore(), lease).elector("reports");
		await().until(leader::isLeader);
		LeaderElector follower = node(newStore(EmulatedApiServer.connect(proxy.port())), lease).elector("reports");
		awaitCommonLeader(leader, follower);
		int watches = server.requests("WATCH");
		server.compact();
		proxy.reset();
		await().until(() -> server.requests("WATCH") > watches && server.openWatches() == 2);
		// within a part of the lease, so by a hint
		leader.stepDown(Duration.ofSeconds(5));
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(follower::isLeader);
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
