package io.leaderelection.redis;

import io.leaderelection.fencing.StaleTokens;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A fence in the application's Redis, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisLeaderElectionProperties.class)
@ImportRuntimeHints(RedisHints.class)
public final class RedisFenceConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	RedisFence leaderElectionRedisFence(RedisConnectionFactory connectionFactory,
			RedisLeaderElectionProperties properties, StaleTokens staleTokens) {
		try {
			return new RedisFence(connectionFactory, properties.getKeyPrefix(), staleTokens);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException("leader-election.redis.key-prefix",
					properties.getKeyPrefix(), ex.getMessage());
		}
	}

}
