package io.leaderelection.etcd;

import io.etcd.jetcd.Client;
import io.leaderelection.servers.DockerContainers;
import io.leaderelection.servers.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * The contract on a later etcd, where Docker runs and has or finds the image.
 */
class EtcdContainerContractTests extends EtcdLeaseStoreContract {

	private static final String IMAGE = "quay.io/coreos/etcd:v3.5.21";

	private static final int PORT = 2379;

	private static GenericContainer<?> container;

	private static Client admin;

	@BeforeAll
	static void startContainer() {
		container = DockerContainers.startOrSkip(new GenericContainer<>(IMAGE).withExposedPorts(PORT)
			.withCommand("etcd", "--listen-client-urls", "http://0.0.0.0:" + PORT, "--advertise-client-urls",
					"http://0.0.0.0:" + PORT));
		admin = EtcdServer.connect(address());
	}

	@AfterAll
	static void stopContainer() {
		if (admin != null) {
			admin.close();
		}
		if (container != null) {
			container.stop();
		}
	}

	private static String address() {
		return "http://%s:%d".formatted(container.getHost(), container.getMappedPort(PORT));
	}

	@Override
	String endpoint() {
		return address();
	}

	@Override
	Client admin() {
		return admin;
	}

	@Override
	protected void pauseServer() {
		DockerClientFactory.instance().client().pauseContainerCmd(container.getContainerId()).exec();
	}

	@Override
	protected void resumeServer() {
		DockerClientFactory.instance().client().unpauseContainerCmd(container.getContainerId()).exec();
	}

}
