package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;

import io.leaderelection.nodes.ProcessContract;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class ZooKeeperProcessTests extends ProcessContract {

	private static TestingServer server;

	private static CuratorFramework client;

	private static ZooKeeperLeaseStore store;

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		client = Clients.started(server.getConnectString(), Duration.ofSeconds(10));
		store = Clients.store(client, "/leader-election");
	}

	@AfterAll
	static void stopServer() throws Exception {
		client.close();
		server.close();
	}

	@Override
	protected List<String> properties() {
		return List.of("leader-election.backend=zookeeper",
				"leader-election.zookeeper.connect-string=" + server.getConnectString());
	}

	@Override
	protected LeaseStore store() {
		return store;
	}

}
