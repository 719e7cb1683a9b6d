package io.leaderelection.zookeeper;

import java.io.IOException;
import java.util.List;

import io.leaderelection.nodes.SwallowedLeaderContract;
import io.leaderelection.servers.ZooKeeperServers;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SwallowedZooKeeperLeaderTests extends SwallowedLeaderContract {

	private static TestingServer server;

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
	}

	@AfterAll
	static void stopServer() throws IOException {
		server.close();
	}

	@Override
	protected int serverPort() {
		return server.getPort();
	}

	@Override
	protected List<String> properties(int port) {
		return List.of("leader-election.backend=zookeeper",
				"leader-election.zookeeper.connect-string=127.0.0.1:" + port);
	}

}
