package io.leaderelection.servers;

import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * Containers for tests that are skipped, with the reason, where a container cannot be
 * started: Docker may run without the image, or without the one of Testcontainers.
 */
public final class DockerContainers {

	private DockerContainers() {
	}

	/**
	 * Starts a container, or aborts the test.
	 * @param <C> the type of the container
	 * @param container the container
	 * @return the running container
	 */
	public static <C extends GenericContainer<?>> C startOrSkip(C container) {
		if (!DockerClientFactory.instance().isDockerAvailable()) {
			Assumptions.abort("Docker is not available");
		}
		try {
			container.start();
			TestedServers.report("the container", container.getDockerImageName());
			return container;
		}
		catch (RuntimeException ex) {
			container.stop();
			return Assumptions
				.abort("The image %s cannot be started: %s".formatted(container.getDockerImageName(), ex));
		}
	}

}
