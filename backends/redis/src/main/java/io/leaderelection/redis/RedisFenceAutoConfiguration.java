package io.leaderelection.redis;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * A fence in the application's Redis, wherever its elections live.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class },
		before = FencingAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(LeaderElections.class)
@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
@EnableConfigurationProperties(RedisLeaderElectionProperties.class)
@ImportRuntimeHints(RedisHints.class)
public final class RedisFenceAutoConfiguration {

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
