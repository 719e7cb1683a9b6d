package io.leaderelection.kubernetes;

import java.io.IOException;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.TestedServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The contract on a server that is as strict as a real one, with nothing left out.
 */
class KubernetesApiContractTests extends KubernetesLeaseStoreContract {

	private static EmulatedApiServer server;

	private static TcpProxy proxy;

	private static KubernetesClient admin;

	@BeforeAll
	static void startServer() {
		server = new EmulatedApiServer();
		TestedServers.report("Kubernetes API", "emulated by EmulatedApiServer");
		proxy = new TcpProxy(server::port);
		admin = server.connect();
	}

	@AfterAll
	static void stopServer() throws IOException {
		admin.close();
		proxy.close();
		server.close();
	}

	@Override
	KubernetesClient connect() {
		return EmulatedApiServer.connect(proxy.port());
	}

	@Override
	KubernetesClient admin() {
		return admin;
	}

	@Override
	String namespace() {
		return EmulatedApiServer.NAMESPACE;
	}

	@Override
	protected void restartServer() {
		server.compact();
		proxy.reset();
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
