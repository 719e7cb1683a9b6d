package io.leaderelection.benchmarks.peers.node;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/**
 * Spring Integration's initiators on Redis, with the kind of lock that its manual
 * prefers.
 */
@Configuration(proxyBeanMethods = false)
@Import(LockRegistryInitiators.class)
class IntegrationRedis {

	@Bean
	RedisLockRegistry lockRegistry(RedisConnectionFactory connections, NodeSettings settings) {
		RedisLockRegistry registry = new RedisLockRegistry(connections, "locks", settings.lease());
		registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
		return registry;
	}

}
