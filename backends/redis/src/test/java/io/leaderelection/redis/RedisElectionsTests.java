package io.leaderelection.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.RedisClusterNodes;
import io.leaderelection.servers.RedisSentinels;
import io.leaderelection.servers.RedisServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on real servers: through failovers and losses there is never a second
 * leader, and the servers are not bothered.
 */
class RedisElectionsTests {

	private final RedisClients clients = new RedisClients();

	private final List<LeaderElections> nodes = new ArrayList<>();

	private final List<Runnable> servers = new ArrayList<>();

	@AfterEach
	void stop() {
		this.nodes.forEach(LeaderElections::close);
		this.clients.close();
		this.servers.forEach(Runnable::run);
	}

	@Test
	void losingAllDataWithTheLeaderMakesTheTokenRiseAllTheSame() {
		RedisServer server = startServer();
		LeaderElections first = node(this.clients.lettuce(server), Duration.ofSeconds(1));
		LeaderElector one = first.elector("reports");
		await().until(one::isLeader);
		FencingToken token = one.fencingToken().orElseThrow();
		first.close();
		server.ask(Jedis::flushAll);
		LeaderElector other = node(this.clients.lettuce(server), Duration.ofSeconds(1)).elector("reports");
		await().until(other::isLeader);
		assertThat(other.fencingToken().orElseThrow().value()).isGreaterThan(token.value());
	}

	@Test
	void aFailoverBySentinelsMakesNoSecondLeader() {
		RedisSentinels sentinels = startSentinels();
		Duration lease = Duration.ofSeconds(2);
		LeaderElector one = node(this.clients.lettuce(sentinels.configuration()), lease).elector("reports");
		LeaderElector other = node(this.clients.jedis(sentinels.configuration()), lease).elector("reports");
		try (Overlaps overlaps = new Overlaps(List.of(one, other))) {
			assertThat(overlaps).isNotNull();
			FencingToken before = awaitLeader(one, other).fencingToken().orElseThrow();
			sentinels.failOver();
			FencingToken after = awaitLeader(one, other).fencingToken().orElseThrow();
			assertThat(after.value()).isGreaterThanOrEqualTo(before.value());
		}
	}

	@Test
	void aServerThatHangsEndsLeadershipInTimeAndGivesItBack() {
		RedisServer server = startServer();
		LeaderElector elector = node(this.clients.lettuce(server), Duration.ofSeconds(1)).elector("reports");
		await().until(elector::isLeader);
		server.pause();
		long pausedAt = System.nanoTime();
		await().until(() -> !elector.isLeader());
		assertThat(Duration.ofNanos(System.nanoTime() - pausedAt)).isLessThan(Duration.ofMillis(1500));
		server.resume();
		await().until(elector::isLeader);
	}

	@Test
	void oneServerAndLettuceHandLeadershipOverAtOnce() {
		RedisServer server = startServer();
		handsOverAtOnce("one server, Lettuce", () -> this.clients.lettuce(server));
	}

	@Test
	void oneServerAndJedisHandLeadershipOverAtOnce() {
		RedisServer server = startServer();
		handsOverAtOnce("one server, Jedis", () -> this.clients.jedis(server));
	}

	@Test
	void sentinelsAndLettuceHandLeadershipOverAtOnce() {
		RedisSentinels sentinels = startSentinels();
		handsOverAtOnce("Sentinel, Lettuce", () -> this.clients.lettuce(sentinels.configuration()));
	}

	@Test
	void aClusterAndJedisHandLeadershipOverAtOnce() {
		RedisClusterNodes cluster = RedisClusterNodes.start();
		this.servers.add(cluster::close);
		handsOverAtOnce("Cluster, Jedis", () -> this.clients.jedis(cluster.configuration()));
	}

	private void handsOverAtOnce(String where, Supplier<RedisConnectionFactory> client) {
		LeaderElector one = node(client.get(), Duration.ofSeconds(10)).elector("reports");
		LeaderElector other = node(client.get(), Duration.ofSeconds(10)).elector("reports");
		List<Duration> handovers = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			await().until(() -> one.getCurrentLeader().isPresent()
					&& one.getCurrentLeader().equals(other.getCurrentLeader()));
			LeaderElector leader = one.isLeader() ? one : other;
			LeaderElector next = (leader == one) ? other : one;
			long start = System.nanoTime();
			leader.operations().stepDown(Duration.ofMillis(100));
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofNanos(100_000))
				.atMost(Duration.ofSeconds(20))
				.until(next::isLeader);
			handovers.add(Duration.ofNanos(System.nanoTime() - start));
		}
		Duration median = handovers.stream().sorted().skip(3).findFirst().orElseThrow();
		System.out.printf("Hand-over on %s: median %.1f ms%n", where, median.toNanos() / 1e6);
		assertThat(median).isLessThan(Duration.ofMillis(500));
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostOneCallPerNodeAndInterval() {
		RedisServer server = startServer();
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		Duration lease = Duration.ofMillis(1500);
		for (int i = 0; i < 3; i++) {
			LeaderElections node = node(this.clients.lettuce(server), lease);
			IntStream.range(0, 100).forEach((election) -> node.elector("election " + election));
		}
		await().until(() -> this.nodes.stream()
			.flatMap((node) -> node.electors().stream())
			.filter(LeaderElector::isLeader)
			.count() == 100);
		await().pollDelay(lease).until(() -> true);
		server.ask(Jedis::configResetStat);
		long start = System.nanoTime();
		await().pollDelay(lease.multipliedBy(2)).until(() -> true);
		long calls = Long.parseLong(server.info("commandstats", "cmdstat_evalsha").split("[=,]")[1]);
		long intervals = (System.nanoTime() - start) / lease.dividedBy(3).toNanos();
		System.out.printf("3 nodes x 100 elections: %d script calls in %d renew intervals%n", calls, intervals);
		assertThat(calls).isBetween(intervals / 2, 3 * (intervals + 1));
		// the thread that told of the gains ends when it has been idle for a while
		await().atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.filteredOn((name) -> name.startsWith("leader-election"))
				.hasSizeLessThanOrEqualTo(6));
	}

	private RedisServer startServer() {
		RedisServer server = RedisServer.start();
		this.servers.add(server::close);
		return server;
	}

	private RedisSentinels startSentinels() {
		RedisSentinels sentinels = RedisSentinels.start();
		this.servers.add(sentinels::close);
		return sentinels;
	}

	private LeaderElections node(RedisConnectionFactory connectionFactory, Duration lease) {
		LeaderElections node = LeaderElections.on(new RedisLeaseStore(connectionFactory))
			.nodeId("node " + (this.nodes.size() + 1))
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		node.start();
		return node;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

	/**
	 * A leader that both nodes have seen: a node that has not may take a lost lease.
	 */
	private static LeaderElector awaitLeader(LeaderElector one, LeaderElector other) {
		await()
			.until(() -> one.getCurrentLeader().isPresent() && one.getCurrentLeader().equals(other.getCurrentLeader()));
		return one.isLeader() ? one : other;
	}

}
