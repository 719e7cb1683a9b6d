package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.ZooKeeperServers;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole nodes on one real server, and what befalls them.
 */
@Timeout(60)
class ElectionsTests {

	private static final Log logger = LogFactory.getLog(ElectionsTests.class);

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** A client may wait for a second before it connects again. */
	private static final Duration LONG_LEASE = Duration.ofSeconds(6);

	private static TestingServer server;

	private static CuratorFramework admin;

	private final String root = "/elections-" + UUID.randomUUID();

	private final List<TestNode> nodes = new ArrayList<>();

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		admin = Clients.started(server.getConnectString(), Duration.ofSeconds(30));
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		server.close();
	}

	@AfterEach
	void stopNodes() throws Exception {
		for (TestNode node : this.nodes) {
			node.close();
		}
	}

	private TestNode node() {
		return node(LEASE);
	}

	private TestNode node(Duration lease) {
		TestNode node = new TestNode("node-" + (this.nodes.size() + 1), server::getPort, this.root, lease);
		this.nodes.add(node);
		return node;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofSeconds(20));
	}

	private static Overlaps watch(TestNode... nodes) {
		List<LeaderElector> electors = new ArrayList<>();
		for (TestNode node : nodes) {
			electors.add(node.elector("reports"));
		}
		return new Overlaps(electors);
	}

	@Test
	void aLeaderWhoseConnectionIsSwallowedEndsBeforeTheNextBegins() throws Exception {
		TestNode first = node().standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode second = node().standing("reports");
		await().until(() -> second.elector("reports").getCurrentLeader().isPresent());
		AtomicBoolean told = new AtomicBoolean();
		first.elector("reports").onLeadershipLost(() -> told.set(true));
		long before = first.token("reports");
		try (Overlaps overlaps = watch(first, second)) {
			assertThat(overlaps).isNotNull();
			long swallowedAt = System.nanoTime();
			first.proxy().swallow();
			await().until(() -> second.leads("reports"));
			Duration missed = Duration.ofNanos(System.nanoTime() - swallowedAt);
			logger.info("A leader that was cut off was missed for " + missed);
			assertThat(first.leads("reports")).isFalse();
			assertThat(told).isTrue();
			assertThat(missed).isLessThan(LEASE.plusMillis(1500));
			first.proxy().forward();
			assertThat(second.token("reports")).isGreaterThan(before);
		}
	}

	@Test
	void aLeaderThatIsCutOffForAMomentGoesOn() throws Exception {
		TestNode first = node(LONG_LEASE).standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode second = node(LONG_LEASE).standing("reports");
		await().until(() -> second.elector("reports").getCurrentLeader().isPresent());
		long token = first.token("reports");
		try (Overlaps overlaps = watch(first, second)) {
			assertThat(overlaps).isNotNull();
			int beats = beats(first);
			first.proxy().cut();
			second.proxy().cut();
			await().until(() -> beats(first) > beats + 1);
			assertThat(first.leads("reports")).isTrue();
			assertThat(first.token("reports")).isEqualTo(token);
		}
	}

	private int beats(TestNode node) throws Exception {
		assertThat(node.leads("reports")).isTrue();
		return admin.checkExists().forPath(new Paths("", this.root).heartbeat(heartbeatOfHolder())).getVersion();
	}

	@Test
	void aLeadershipOutlivesItsSession() throws Exception {
		TestNode first = node(LONG_LEASE).standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode second = node(LONG_LEASE).standing("reports");
		await().until(() -> second.elector("reports").getCurrentLeader().isPresent());
		long token = first.token("reports");
		try (Overlaps overlaps = watch(first, second)) {
			assertThat(overlaps).isNotNull();
			String heartbeat = heartbeatOfHolder();
			Clients.endSession(first.client(), server.getConnectString());
			await().until(() -> !heartbeatOfHolder().equals(heartbeat));
			assertThat(first.leads("reports")).isTrue();
			assertThat(first.token("reports")).isEqualTo(token);
			first.elections().stop();
			await().until(() -> second.leads("reports"));
		}
	}

	private String heartbeatOfHolder() throws Exception {
		byte[] record = admin.getData().forPath(new Paths("", this.root).record("reports"));
		return ZooKeeperLeaseRecords.FORMAT.read(record).heartbeat();
	}

	@Test
	void leadersGoOnThroughARestartOfTheServer() throws Exception {
		TestNode first = node().standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode second = node().standing("reports");
		await().until(() -> second.elector("reports").getCurrentLeader().isPresent());
		long before = first.token("reports");
		try (Overlaps overlaps = watch(first, second)) {
			assertThat(overlaps).isNotNull();
			server.restart();
			await().until(() -> first.leads("reports") || second.leads("reports"));
			long after = first.leads("reports") ? first.token("reports") : second.token("reports");
			assertThat(after).isGreaterThanOrEqualTo(before);
		}
	}

	@Test
	void aPausedCandidateHoldsNobodyUp() throws Exception {
		TestNode first = node().standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode paused = node().standing("reports");
		await().until(() -> paused.elector("reports").getCurrentLeader().isPresent());
		TestNode third = node().standing("reports");
		await().until(() -> third.elector("reports").getCurrentLeader().isPresent());
		paused.elector("reports").operations().pause().get(5, TimeUnit.SECONDS);
		long stoppedAt = System.nanoTime();
		first.elections().stop();
		await().until(() -> third.leads("reports"));
		assertThat(Duration.ofNanos(System.nanoTime() - stoppedAt)).isLessThan(LEASE.dividedBy(2));
	}

	@Test
	void aLeadershipIsHandedToTheNamedNode() throws Exception {
		TestNode first = node().standing("reports");
		await().until(() -> first.leads("reports"));
		TestNode second = node().standing("reports");
		await().until(() -> second.elector("reports").getCurrentLeader().isPresent());
		TestNode third = node().standing("reports");
		await().until(() -> third.elector("reports").getCurrentLeader().isPresent());
		assertThat(first.elector("reports").operations().transferTo("node-3").get(5, TimeUnit.SECONDS)).isTrue();
		await().until(() -> third.leads("reports"));
		await().until(() -> second.elector("reports")
			.getCurrentLeader()
			.filter((leader) -> leader.nodeId().equals("node-3"))
			.isPresent());
	}

	@Test
	void aCleanStopIsFollowedWithinMilliseconds() {
		List<Duration> handOvers = new ArrayList<>();
		TestNode leader = node().standing("reports");
		TestNode follower = node();
		for (int i = 0; i < 21; i++) {
			TestNode stopping = leader;
			TestNode next = follower;
			await().until(() -> stopping.leads("reports"));
			next.standing("reports");
			await().until(() -> next.elector("reports")
				.getCurrentLeader()
				.filter((seen) -> seen.token().value() == stopping.token("reports"))
				.isPresent());
			long stoppedAt = System.nanoTime();
			Thread stopper = new Thread(stopping.elections()::stop);
			stopper.start();
			while (!next.leads("reports")) {
				Thread.onSpinWait();
			}
			handOvers.add(Duration.ofNanos(System.nanoTime() - stoppedAt));
			await().until(() -> !stopping.elections().isRunning());
			leader = next;
			follower = stopping;
		}
		handOvers.sort(null);
		logger.info("A clean stop was followed within %s (median of %d; longest %s)"
			.formatted(handOvers.get(handOvers.size() / 2), handOvers.size(), handOvers.get(handOvers.size() - 1)));
		assertThat(handOvers.get(handOvers.size() / 2)).isLessThan(LEASE.dividedBy(10));
	}

}
