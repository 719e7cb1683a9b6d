package io.leaderelection.redis;

import io.leaderelection.servers.DockerContainers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract on the latest Redis, where Docker runs and has or finds the image. All
 * else runs without Docker.
 */
class RedisContainerContractTests extends RedisLeaseStoreContract {

	private static final int PORT = 6379;

	private static GenericContainer<?> container;

	@BeforeAll
	static void startContainer() {
		container = DockerContainers.startOrSkip(new GenericContainer<>("redis:8-alpine").withExposedPorts(PORT));
	}

	@AfterAll
	static void stopContainer() {
		if (container != null) {
			container.stop();
		}
	}

	@Override
	RedisConnectionFactory connect() {
		return this.clients
			.lettuce(new RedisStandaloneConfiguration(container.getHost(), container.getMappedPort(PORT)));
	}

	@Override
	protected void loseAllData() {
		new StringRedisTemplate(connect()).execute((connection) -> {
			connection.serverCommands().flushAll();
			return null;
		}, true);
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
