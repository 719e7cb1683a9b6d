package io.leaderelection.zookeeper;

import java.time.Duration;

import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.ZooKeeperServers;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract of stores, on one server.
 */
class SingleServerTests extends ZooKeeperContract {

	private static TestingServer server;

	private static TcpProxy proxy;

	private static CuratorFramework admin;

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		proxy = new TcpProxy(server::getPort);
		admin = Clients.started(server.getConnectString(), Duration.ofSeconds(30));
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		proxy.close();
		server.close();
	}

	@Override
	String connectString() {
		return proxy.connectString();
	}

	@Override
	CuratorFramework admin() {
		return admin;
	}

	@Override
	protected void restartServer() {
		try {
			server.restart();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	protected void pauseServer() {
		proxy.swallow();
	}

	@Override
	protected void resumeServer() {
		proxy.forward();
	}

}
