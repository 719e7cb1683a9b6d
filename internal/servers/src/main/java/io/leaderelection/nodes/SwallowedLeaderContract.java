package io.leaderelection.nodes;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.TcpProxy;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users see when the network swallows what the leader sends and resets nothing: two
 * ordinary applications, one of which reaches its server through a proxy. Every timeout
 * of every client has its default. The system property {@code failover.rounds} repeats
 * the measurement, whose figures are printed.
 */
@Timeout(180)
public abstract class SwallowedLeaderContract {

	private static final String ELECTION = "reports";

	private static final Duration LEASE = Duration.ofSeconds(3);

	/** What a very busy machine may need, and no client's own timeout allows. */
	private static final Duration LONGEST_START = Duration.ofSeconds(15);

	private static final Duration VALIDITY = ElectionSettings.ofLease(LEASE).validity(LEASE);

	private final TcpProxy proxy = new TcpProxy(this::serverPort);

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	/**
	 * Where the server is, on the loopback interface.
	 * @return its port
	 */
	protected abstract int serverPort();

	/**
	 * The properties by which an application finds its server.
	 * @param port the port to connect to
	 * @return properties as {@code name=value}
	 */
	protected abstract List<String> properties(int port);

	/**
	 * The properties by which nothing but the elections asks the server at the start.
	 * @return properties as {@code name=value}
	 */
	protected List<String> propertiesOfAnApplicationThatAsksNothing() {
		return List.of();
	}

	/**
	 * Mends the network. Connections that hung go on to hang: the client has to make new
	 * ones.
	 * @param proxy the proxy that swallowed
	 */
	protected void mend(TcpProxy proxy) {
		proxy.forwardNewOnly();
	}

	/**
	 * Looks for what the hung calls have left behind in the client.
	 * @param application the application that was cut off
	 */
	protected void assertNothingIsLeftHanging(ConfigurableApplicationContext application) {
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.forward();
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.proxy.close();
	}

	public static IntStream rounds() {
		return IntStream.range(0, Integer.getInteger("failover.rounds", 1));
	}

	@ParameterizedTest
	@MethodSource("rounds")
	void aSwallowedLeaderEndsInTimeAndStandsAgainByItself() {
		ConfigurableApplicationContext cutOff = start("first", this.proxy.port());
		LeaderElector first = elector(cutOff);
		await().until(first::isLeader);
		ConfigurableApplicationContext other = start("second", serverPort());
		LeaderElector second = elector(other);
		await().until(() -> second.getCurrentLeader().isPresent());
		long token = token(first);
		try (Overlaps overlaps = new Overlaps(List.of(first, second)); Witness witness = new Witness(first)) {
			assertThat(overlaps).isNotNull();
			this.proxy.swallow();
			long swallowedAt = System.nanoTime();
			await().until(second::isLeader);
			Duration replaced = Duration.ofNanos(System.nanoTime() - swallowedAt);
			Duration led = Duration.ofNanos(witness.lastLed() - swallowedAt);
			Duration told = Duration.ofNanos(witness.told() - swallowedAt);
			System.out.printf("%s: led for %d ms, was told after %d ms and replaced after %d ms of %d%n",
					getClass().getSimpleName(), led.toMillis(), told.toMillis(), replaced.toMillis(), LEASE.toMillis());
			assertThat(led).isPositive().isLessThan(VALIDITY);
			assertThat(told).isPositive().isLessThan(LEASE);
			await().until(() -> first.status().failuresInARow() > 5);
			mend(this.proxy);
			await()
				.until(() -> first.getCurrentLeader().filter((leader) -> leader.nodeId().equals("second")).isPresent());
			await().until(() -> second.operations().candidates().join().contains("first"));
			other.close();
			await().until(first::isLeader);
		}
		assertThat(token(first)).isGreaterThan(token);
		await().untilAsserted(() -> assertThat(storeThreads("first")).hasSizeLessThanOrEqualTo(1));
		await().untilAsserted(() -> assertNothingIsLeftHanging(cutOff));
	}

	@Test
	void aServerThatSaysNothingDoesNotHoldUpTheStart() {
		this.proxy.swallow();
		long startedAt = System.nanoTime();
		ConfigurableApplicationContext silent = start("early", this.proxy.port(),
				propertiesOfAnApplicationThatAsksNothing());
		Duration start = Duration.ofNanos(System.nanoTime() - startedAt);
		System.out.printf("%s: ready after %d ms%n", getClass().getSimpleName(), start.toMillis());
		assertThat(start).isLessThan(LONGEST_START);
		this.proxy.forward();
		await().until(elector(silent)::isLeader);
	}

	private ConfigurableApplicationContext start(String nodeId, int port) {
		return start(nodeId, port, List.of());
	}

	private ConfigurableApplicationContext start(String nodeId, int port, List<String> more) {
		List<String> arguments = new ArrayList<>(
				List.of("--leader-election.node-id=" + nodeId, "--leader-election.elections." + ELECTION + "=",
						"--leader-election.lease-duration=" + LEASE.toMillis() + "ms",
						"--spring.docker.compose.enabled=false", "--spring.jmx.enabled=false"));
		properties(port).forEach((property) -> arguments.add("--" + property));
		more.forEach((property) -> arguments.add("--" + property));
		ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run(arguments.toArray(new String[0]));
		this.applications.add(application);
		return application;
	}

	private static LeaderElector elector(ConfigurableApplicationContext application) {
		return application.getBean(LeaderElections.class).elector(ELECTION);
	}

	private static long token(LeaderElector elector) {
		return elector.fencingToken().orElseThrow().value();
	}

	private static List<String> storeThreads(String nodeId) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("leader-election-store") && name.endsWith("(" + nodeId + ")"))
			.toList();
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(60));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application {

	}

	/**
	 * Samples whether the node leads, and records when it was notified that it does not.
	 */
	private static final class Witness implements AutoCloseable {

		private final LeaderElector elector;

		private final Thread thread = new Thread(this::watch, "witness");

		private volatile long lastLed;

		private volatile long told;

		private volatile boolean over;

		private Witness(LeaderElector elector) {
			this.elector = elector;
			elector.onLeadershipLost(() -> this.told = System.nanoTime());
			this.thread.setDaemon(true);
			this.thread.start();
		}

		private void watch() {
			while (!this.over) {
				long now = System.nanoTime();
				if (this.elector.isLeader()) {
					this.lastLed = now;
				}
				LockSupport.parkNanos(50_000);
			}
		}

		private long lastLed() {
			return this.lastLed;
		}

		private long told() {
			return this.told;
		}

		@Override
		public void close() {
			this.over = true;
		}

	}

}
