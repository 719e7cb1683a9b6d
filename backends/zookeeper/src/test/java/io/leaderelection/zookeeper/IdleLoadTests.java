package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.leaderelection.servers.FourLetterWord;
import io.leaderelection.servers.ZooKeeperServers;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What elections cost the server when nothing happens.
 */
class IdleLoadTests {

	private static final Log logger = LogFactory.getLog(IdleLoadTests.class);

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final int ELECTIONS = 100;

	@Test
	void theCostGrowsWithNodesAndNotWithElections() throws Exception {
		String[] elections = IntStream.range(0, ELECTIONS).mapToObj((i) -> "job-" + i).toArray(String[]::new);
		List<TestNode> nodes = new ArrayList<>();
		try (TestingServer server = ZooKeeperServers.single()) {
			try {
				for (int i = 0; i < 3; i++) {
					TestNode node = new TestNode("idle-" + i, server::getPort, "/idle", LEASE);
					nodes.add(node.standing(elections));
					Awaitility.await().until(() -> knowsAllLeaders(node));
				}
				assertThat(nodes.get(0).elections().electors()).allMatch((elector) -> elector.isLeader());
				Measured measured = measure(server.getPort());
				if (!measured.isIdle()) {
					// what followed the start took longer on a busy machine
					measured = measure(server.getPort());
				}
				double intervals = measured.intervals();
				Cost cost = measured.cost();
				List<String> threads = ownThreads();
				logger.info("3 nodes x %d elections in %.1f renew intervals: %s, %d threads".formatted(ELECTIONS,
						intervals, cost, threads.size()));
				assertThat(nodes.get(0).elections().electors()).allMatch((elector) -> elector.isLeader());
				long proofsOfLife = (long) Math.ceil(intervals) + 1;
				long looksOfFollowers = 2 * ((long) Math.ceil(intervals / 3) + 1);
				assertThat(cost.writes).as("writes").isBetween(1L, proofsOfLife + looksOfFollowers);
				assertThat(measured.isIdle()).as("requests of three nodes: " + measured).isTrue();
				assertThat(threads).as("threads of three nodes").hasSizeLessThanOrEqualTo(3 * 2);
			}
			finally {
				for (TestNode node : nodes) {
					node.close();
				}
			}
		}
	}

	private static Measured measure(int port) {
		Cost before = Cost.of(port);
		long start = System.nanoTime();
		Awaitility.await().pollInterval(LEASE).until(() -> System.nanoTime() - start > 2 * LEASE.toNanos());
		double intervals = (System.nanoTime() - start) / (double) LEASE.dividedBy(3).toNanos();
		return new Measured(Cost.of(port).minus(before), intervals);
	}

	private static boolean knowsAllLeaders(TestNode node) {
		return node.elections().electors().stream().allMatch((elector) -> elector.getCurrentLeader().isPresent());
	}

	private static List<String> ownThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("leader-election") && name.contains("(idle-"))
			.toList();
	}

	/**
	 * What the server has done in some time.
	 *
	 * @param cost what
	 * @param intervals in how many renew intervals
	 */
	private record Measured(Cost cost, double intervals) {

		/** Three requests of each node in an interval, pings among them, and no more. */
		boolean isIdle() {
			return this.cost.requests < (long) (3 * 3 * this.intervals);
		}

	}

	/**
	 * What the server has done.
	 *
	 * @param requests the requests that came, pings among them
	 * @param writes the changes that were committed
	 */
	private record Cost(long requests, long writes) {

		static Cost of(int port) {
			long zxid = FourLetterWord.ask("srvr", port)
				.lines()
				.filter((line) -> line.startsWith("Zxid: 0x"))
				.mapToLong((line) -> Long.parseLong(line.substring("Zxid: 0x".length()), 16))
				.findFirst()
				.orElseThrow();
			return new Cost(FourLetterWord.number("zk_packets_received", port), zxid);
		}

		Cost minus(Cost earlier) {
			return new Cost(this.requests - earlier.requests, this.writes - earlier.writes);
		}

	}

}
