package io.leaderelection.benchmarks.peers.store;

import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.leaderelection.benchmarks.Waiting;

/**
 * fabric8's own stand-in for an API server, in the driver's process. A real one was not
 * to be had.
 */
final class KubernetesStoreServer implements StoreServer {

	private final MockWebServer http = new MockWebServer();

	private final KubernetesMockServer server = new KubernetesMockServer(new Context(), this.http, new HashMap<>(),
			new KubernetesCrudDispatcher(), false);

	KubernetesStoreServer() {
		this.server.init(InetAddress.getLoopbackAddress(), 0);
	}

	@Override
	public int port() {
		return this.server.getPort();
	}

	@Override
	public Load load(Duration time) throws InterruptedException {
		long began = System.nanoTime();
		int before = this.server.getRequestCount();
		Waiting.pass(time);
		int asked = this.server.getRequestCount() - before;
		return Load.of(asked, asked, System.nanoTime() - began);
	}

	@Override
	public void lose() {
		try (KubernetesClient client = this.server.createClient()) {
			client.leases().inNamespace("default").delete();
		}
	}

	@Override
	public void close() {
		this.server.destroy();
	}

}
