package io.leaderelection.redis;

import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
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
@ImportRuntimeHints(RedisLeaseStoreConfiguration.Scripts.class)
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

	static final class Scripts implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/leaderelection/redis/*.lua");
			// without it, nobody would keep a Jedis connection with a late answer from
			// its pool
			hints.reflection().registerTypeIfPresent(classLoader, JedisSocket.JEDIS);
		}

	}

}
