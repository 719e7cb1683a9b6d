package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.leaderelection.nodes.RunningNodesContract;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class ZooKeeperRunningNodesTests extends RunningNodesContract {

	private static TestingServer server;

	private static CuratorFramework admin;

	private final String root = "/nodes-" + UUID.randomUUID();

	private final List<CuratorFramework> clients = new ArrayList<>();

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		admin = client();
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		server.close();
	}

	@AfterEach
	void closeClients() {
		this.clients.forEach(CuratorFramework::close);
	}

	@Override
	protected LeaseStore newStore() {
		CuratorFramework client = client();
		this.clients.add(client);
		return Clients.store(client, this.root);
	}

	private static CuratorFramework client() {
		return Clients.started(server.getConnectString(), Duration.ofSeconds(10));
	}

	@Override
	protected void deleteAll() {
		Clients.deleteAll(admin, this.root);
	}

}
