package io.leaderelection.redis;

import io.leaderelection.store.LeaseStore;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Elections on the application's Redis.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RedisLeaderElectionProperties.class)
@ImportRuntimeHints(RedisHints.class)
public final class RedisLeaseStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean(LeaseStore.class)
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
