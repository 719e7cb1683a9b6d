package io.leaderelection.etcd;

import java.util.List;

import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Finds etcd in a container that is annotated with {@code @ServiceConnection}, if its
 * image is one of etcd's own.
 */
class EtcdContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, EtcdConnectionDetails> {

	private static final List<String> IMAGES = List.of("etcd", "coreos/etcd", "etcd-development/etcd");

	private static final int PORT = 2379;

	EtcdContainerConnectionDetailsFactory() {
		super(IMAGES, "io.etcd.jetcd.Client");
	}

	@Override
	protected EtcdConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
		return new EtcdContainerConnectionDetails(source);
	}

	private static final class EtcdContainerConnectionDetails extends ContainerConnectionDetails<Container<?>>
			implements EtcdConnectionDetails {

		private EtcdContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public List<String> getEndpoints() {
			return List.of("http://%s:%d".formatted(getContainer().getHost(), getContainer().getMappedPort(PORT)));
		}

	}

}
