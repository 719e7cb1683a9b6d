package io.leaderelection.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.ClosableClientContract;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on an emulated API server, through what may happen to a real one.
 */
class KubernetesElectionsTests extends ClosableClientContract<KubernetesClient> {

	private static EmulatedApiServer server;

	private static TcpProxy proxy;

	private final String prefix = "x" + UUID.randomUUID();

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

	@Override
	protected String product() {
		return "Kubernetes";
	}

	@Override
	protected KubernetesClient connect() {
		return server.connect();
	}

	@Override
	protected LeaseStore storeOn(KubernetesClient client) {
		return new KubernetesLeaseStore(client, EmulatedApiServer.NAMESPACE, this.prefix, InstantSource.system(),
				client::close);
	}

	@Override
	protected void deleteAll() {
		server.deleteAll(this.prefix);
	}

	@Test
	void aCleanStopIsFollowedAtOnce() {
		List<Duration> handOvers = handOvers(11, Duration.ofSeconds(10), Duration.ofMillis(300));
		assertThat(handOvers.get(5)).isLessThan(Duration.ofMillis(500));
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostOneRequestPerElectionAndRenewInterval() {
		Duration lease = Duration.ofMillis(4500);
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			electors.addAll(electors(node(newStore(), lease), 100));
		}
		await().until(() -> electors.stream().filter(LeaderElector::isLeader).count() == 100);
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
		awaitCommonLeader(List.of(leader, follower));
		int watches = server.requests("WATCH");
		server.compact();
		proxy.reset();
		await().until(() -> server.requests("WATCH") > watches && server.openWatches() == 2);
		// within a part of the lease, so by a hint
		leader.operations().stepDown(Duration.ofSeconds(5));
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(follower::isLeader);
	}

}
