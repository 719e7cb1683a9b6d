package io.leaderelection.etcd;

import java.util.List;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Finds etcd in a Docker Compose service of one of its images.
 */
class EtcdDockerComposeConnectionDetailsFactory extends DockerComposeConnectionDetailsFactory<EtcdConnectionDetails> {

	private static final int PORT = 2379;

	EtcdDockerComposeConnectionDetailsFactory() {
		super(new String[] { "etcd", "coreos/etcd", "etcd-development/etcd" }, "io.etcd.jetcd.Client");
	}

	@Override
	protected EtcdConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new EtcdDockerComposeConnectionDetails(source.getRunningService());
	}

	private static final class EtcdDockerComposeConnectionDetails extends DockerComposeConnectionDetails
			implements EtcdConnectionDetails {

		private final List<String> endpoints;

		private EtcdDockerComposeConnectionDetails(RunningService service) {
			super(service);
			this.endpoints = List.of("http://%s:%d".formatted(service.host(), service.ports().get(PORT)));
		}

		@Override
		public List<String> getEndpoints() {
			return this.endpoints;
		}

	}

}
