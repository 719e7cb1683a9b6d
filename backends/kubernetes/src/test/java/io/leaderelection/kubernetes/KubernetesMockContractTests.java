package io.leaderelection.kubernetes;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.leaderelection.store.observed.ObservedLeaseStore;
import io.leaderelection.servers.TestedServers;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The contract on fabric8's own mock of an API server, which refuses an update with
 * another resource version. It hangs for half a minute if a watch ends while it shows
 * something, so hints are left to {@link KubernetesApiContractTests}.
 */
@Tag("full")
class KubernetesMockContractTests extends KubernetesLeaseStoreContract {

	private static final Logger requestLog = Logger.getLogger(MockWebServer.class.getName());

	private static KubernetesMockServer server;

	private static KubernetesClient admin;

	@BeforeAll
	static void startServer() {
		requestLog.setLevel(Level.OFF);
		server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(),
				new KubernetesCrudDispatcher(), false);
		TestedServers.report("Kubernetes API", "emulated by fabric8's KubernetesMockServer");
		server.init(InetAddress.getLoopbackAddress(), 0);
		admin = EmulatedApiServer.connect(server.getPort());
	}

	@AfterAll
	static void stopServer() {
		admin.close();
		server.destroy();
	}

	@Override
	KubernetesClient connect() {
		return EmulatedApiServer.connect(server.getPort());
	}

	@Override
	LeaseStore newStore(KubernetesClient client, String prefix) {
		return new ObservedLeaseStore(new UnwatchedRecords(
				new LeaseObjects(client, namespace(), prefix, InstantSource.system(), client::close)));
	}

	@Override
	KubernetesClient admin() {
		return admin;
	}

	@Override
	String namespace() {
		return EmulatedApiServer.NAMESPACE;
	}

}
