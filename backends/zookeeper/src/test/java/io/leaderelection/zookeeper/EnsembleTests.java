package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;

import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.LeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract of stores, on an ensemble of three. A restart is one of the server that
 * leads it, and crashed nodes lose their sessions at once.
 */
@Tag("full")
class EnsembleTests extends ZooKeeperContract {

	private static TestingCluster ensemble;

	private static List<TcpProxy> proxies;

	private static CuratorFramework admin;

	@BeforeAll
	static void startServers() throws Exception {
		ensemble = ZooKeeperServers.ensemble();
		proxies = ensemble.getInstances().stream().map((spec) -> new TcpProxy(spec::getPort)).toList();
		admin = Clients.started(ensemble.getConnectString(), Duration.ofSeconds(30));
	}

	@AfterAll
	static void stopServers() throws Exception {
		admin.close();
		for (TcpProxy proxy : proxies) {
			proxy.close();
		}
		ensemble.close();
	}

	@Override
	String connectString() {
		return String.join(",", proxies.stream().map(TcpProxy::connectString).toList());
	}

	@Override
	CuratorFramework admin() {
		return admin;
	}

	@Override
	protected void abandon(LeaseStore store) {
		Clients.endSession(client(store), ensemble.getConnectString());
	}

	@Override
	protected void restartServer() {
		try {
			InstanceSpec leader = ZooKeeperServers.leader(ensemble);
			ensemble.killServer(leader);
			ensemble.restartServer(leader);
			ZooKeeperServers.awaitServing(ensemble);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	protected void pauseServer() {
		proxies.forEach(TcpProxy::swallow);
	}

	@Override
	protected void resumeServer() {
		proxies.forEach(TcpProxy::forward);
	}

}
