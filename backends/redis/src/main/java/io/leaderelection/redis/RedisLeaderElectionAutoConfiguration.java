package io.leaderelection.redis;

import io.leaderelection.autoconfigure.ConditionalOnBackend;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.store.LeaseStore;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Elections on the application's Redis.
 */
@AutoConfiguration(before = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBackend("redis")
@ConditionalOnMissingBean(LeaseStore.class)
@EnableConfigurationProperties(RedisLeaderElectionProperties.class)
@ImportRuntimeHints(RedisHints.class)
public final class RedisLeaderElectionAutoConfiguration {

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new RedisBackend();
	}

	@Bean
	RedisLeaseStore redisLeaseStore(RedisConnectionFactory connectionFactory,
			RedisLeaderElectionProperties properties) {
		try {
			return new RedisLeaseStore(connectionFactory, properties.getKeyPrefix(), properties.isDetectFailover());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("leader-election.redis.key-prefix",
					properties.getKeyPrefix(), ex.getMessage());
		}
	}

}
