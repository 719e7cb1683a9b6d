package io.leaderelection.redis;

import java.util.List;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

/**
 * What the Redis backend requires of the application.
 */
final class RedisBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public String clientDependency() {
		return "org.springframework.boot:spring-boot-starter-data-redis";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("org.springframework.data.redis.connection.RedisConnectionFactory");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("org.springframework.data.redis.connection.RedisConnectionFactory");
	}

}
