package io.leaderelection.servers;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.apache.curator.test.TestingZooKeeperServer;
import org.awaitility.Awaitility;

/**
 * Real servers, with the tick of real servers. What they write is not forced to the disk,
 * which may be slow where tests run.
 */
public final class ZooKeeperServers {

	private static final int TICK_MILLIS = 2000;

	/**
	 * Clients of earlier tests are closed in the background, and all come from one
	 * address.
	 */
	private static final int MOST_CLIENTS = 2000;

	private ZooKeeperServers() {
	}

	public static TestingServer single() throws Exception {
		TestingServer server = new TestingServer(spec(), true);
		TestedServers.report("ZooKeeper", version(server.getPort()));
		return server;
	}

	public static TestingCluster ensemble() throws Exception {
		TestingCluster ensemble = new TestingCluster(IntStream.range(0, 3).mapToObj((i) -> spec()).toList());
		ensemble.start();
		awaitServing(ensemble);
		TestedServers.report("ZooKeeper ensemble", version(ensemble.getServers().get(0).getInstanceSpec().getPort()));
		return ensemble;
	}

	private static String version(int port) {
		return FourLetterWord.ask("srvr", port).replaceFirst("(?s)^\\D*([^-]+).*", "$1");
	}

	private static InstanceSpec spec() {
		return new InstanceSpec((File) null, -1, -1, -1, true, -1, TICK_MILLIS, MOST_CLIENTS,
				Map.of("forceSync", "no", "4lw.commands.whitelist", "*"));
	}

	/** Waits until all servers have a leader. */
	public static void awaitServing(TestingCluster ensemble) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(50))
			.ignoreExceptions()
			.until(() -> ensemble.getInstances()
				.stream()
				.allMatch((spec) -> FourLetterWord.ask("srvr", spec.getPort()).contains("Mode: ")));
	}

	/** The server that leads the ensemble. */
	public static InstanceSpec leader(TestingCluster ensemble) {
		List<TestingZooKeeperServer> servers = ensemble.getServers();
		return servers.stream()
			.map(TestingZooKeeperServer::getInstanceSpec)
			.filter((spec) -> FourLetterWord.ask("srvr", spec.getPort()).contains("Mode: leader"))
			.findFirst()
			.orElseThrow();
	}

}
