package io.leaderelection.actuate;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.leaderelection.ElectionState;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Registration;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two whole applications on a Redis server, and an operator who moves leadership between
 * them over HTTP. {@code -Dtransfer.rounds} has more transfers timed, and their times
 * printed.
 */
@Timeout(120)
class TwoNodesOnRedisTests {

	private static final int ROUNDS = Integer.getInteger("transfer.rounds", 4);

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private static RedisServer server;

	private static Node a;

	private static Node b;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		a = new Node("node-a", server.port());
		b = new Node("node-b", server.port());
	}

	@AfterAll
	static void stop() {
		Stream.of(a, b).forEach(Node::close);
		server.close();
	}

	@Test
	void transferMovesLeadershipToTheNamedNodeWithoutWaitingForTheLease() throws Exception {
		LeaderElector ofA = a.elector("moved");
		LeaderElector ofB = b.elector("moved");
		await().until(() -> ofA.isLeader() || ofB.isLeader());
		List<Double> millis = new ArrayList<>();
		try (Overlaps overlaps = new Overlaps(List.of(ofA, ofB))) {
			assertThat(overlaps).isNotNull();
			for (int i = 0; i < ROUNDS; i++) {
				Node from = ofA.isLeader() ? a : b;
				Node to = (from == a) ? b : a;
				await().until(() -> from.elector("moved").operations().candidates().join().contains(to.name));
				millis.add(transfer("moved", from, to));
			}
		}
		assertThat(millis).as("with leases of ten seconds").allSatisfy((time) -> assertThat(time).isLessThan(5000));
		if (System.getProperty("transfer.rounds") != null) {
			List<Double> sorted = millis.stream().sorted().toList();
			System.out.printf("%d transfers, ms from the request to the new leader: median %.1f, slowest %.1f; %s%n",
					sorted.size(), sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1), sorted);
		}
	}

	/** Milliseconds from before the request until the other node leads. */
	private static double transfer(String election, Node from, Node to) throws Exception {
		CompletableFuture<Long> gained = new CompletableFuture<>();
		Registration registration = to.elector(election).onLeadershipGained(() -> gained.complete(System.nanoTime()));
		long begun = System.nanoTime();
		from.act(election, "{\"action\": \"transfer\", \"to\": \"%s\"}".formatted(to.name));
		long nanos = gained.get(30, TimeUnit.SECONDS) - begun;
		registration.close();
		assertThat(to.elector(election).isLeader()).isTrue();
		assertThat(from.elector(election).isLeader()).isFalse();
		return nanos / 1e6;
	}

	@Test
	void aPauseOfAllNodesLeavesNoLeaderAndResumeBringsOneBack() {
		List<LeaderElector> electors = List.of(a.elector("paused"), b.elector("paused"));
		await().until(() -> electors.stream().filter(LeaderElector::isLeader).count() == 1);
		try (Overlaps overlaps = new Overlaps(electors)) {
			assertThat(overlaps).isNotNull();
			a.act("paused", "{\"action\": \"pause\"}");
			b.act("paused", "{\"action\": \"pause\"}");
			assertThat(electors)
				.allSatisfy((elector) -> assertThat(elector.status().state()).isEqualTo(ElectionState.PAUSED));
			Duration threeLeases = electors.get(0).status().leaseDuration().multipliedBy(3);
			await().during(threeLeases).until(() -> electors.stream().noneMatch(LeaderElector::isLeader));
			b.act("paused", "{\"action\": \"resume\"}");
			await().until(electors.get(1)::isLeader);
			a.act("paused", "{\"action\": \"resume\"}");
			await().until(() -> electors.get(0).getCurrentLeader().isPresent());
			assertThat(electors).extracting(LeaderElector::isLeader).containsExactly(false, true);
		}
	}

	private static final class Node implements AutoCloseable {

		private final String name;

		private final ConfigurableApplicationContext application;

		Node(String name, int redisPort) {
			this.name = name;
			this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
				.bannerMode(Banner.Mode.OFF)
				.registerShutdownHook(false)
				.properties("server.port=0", "spring.data.redis.port=" + redisPort, "leader-election.backend=redis",
						"leader-election.node-id=" + name, "leader-election.elections.moved.lease-duration=10s",
						"leader-election.elections.paused.lease-duration=500ms",
						"management.endpoints.web.exposure.include=leader",
						"management.endpoint.leader.access=unrestricted", "spring.docker.compose.enabled=false")
				.run();
		}

		LeaderElector elector(String election) {
			return this.application.getBean(LeaderElections.class).elector(election);
		}

		void act(String election, String wish) {
			URI uri = URI.create("http://localhost:%s/actuator/leader/%s"
				.formatted(this.application.getEnvironment().getProperty("local.server.port"), election));
			HttpResponse<String> answer = CLIENT
				.sendAsync(HttpRequest.newBuilder(uri)
					.header("Content-Type", "application/json")
					.POST(HttpRequest.BodyPublishers.ofString(wish))
					.build(), HttpResponse.BodyHandlers.ofString())
				.join();
			assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		}

		@Override
		public void close() {
			this.application.close();
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

	}

}
