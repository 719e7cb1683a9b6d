package io.leaderelection.zookeeper;

import java.util.List;

import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactory;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceConnectionTests {

	@Test
	void containersAndComposeServicesAreKnownToSpringBoot() {
		List<String> factories = SpringFactoriesLoader.forDefaultResourceLocation()
			.load(ConnectionDetailsFactory.class,
					SpringFactoriesLoader.FailureHandler.logging(LogFactory.getLog(ServiceConnectionTests.class)))
			.stream()
			.map((factory) -> factory.getClass().getName())
			.toList();
		assertThat(factories).contains(ZooKeeperContainerConnectionDetailsFactory.class.getName(),
				ZooKeeperDockerComposeConnectionDetailsFactory.class.getName());
	}

}
