package io.leaderelection.redis;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.servers.RedisServer;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;

import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * The clients of a test, with their settings left at the defaults.
 */
final class RedisClients implements AutoCloseable {

	private static final ClientResources RESOURCES = DefaultClientResources.create();

	private final List<Runnable> open = new ArrayList<>();

	RedisConnectionFactory lettuce(RedisServer server) {
		return lettuce(standalone(server));
	}

	synchronized RedisConnectionFactory lettuce(RedisConfiguration where) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(where,
				LettuceClientConfiguration.builder().clientResources(RESOURCES).build());
		factory.afterPropertiesSet();
		factory.start();
		this.open.add(factory::destroy);
		return factory;
	}

	RedisConnectionFactory jedis(RedisServer server) {
		return jedis(standalone(server));
	}

	synchronized RedisConnectionFactory jedis(RedisConfiguration where) {
		JedisConnectionFactory factory = jedisFactory(where, JedisClientConfiguration.builder().usePooling().build());
		factory.afterPropertiesSet();
		factory.start();
		this.open.add(factory::destroy);
		return factory;
	}

	private static JedisConnectionFactory jedisFactory(RedisConfiguration where, JedisClientConfiguration client) {
		if (where instanceof RedisSentinelConfiguration sentinel) {
			return new JedisConnectionFactory(sentinel, client);
		}
		if (where instanceof RedisClusterConfiguration cluster) {
			return new JedisConnectionFactory(cluster, client);
		}
		return new JedisConnectionFactory((RedisStandaloneConfiguration) where, client);
	}

	static RedisStandaloneConfiguration standalone(RedisServer server) {
		return new RedisStandaloneConfiguration(RedisServer.HOST, server.port());
	}

	@Override
	public synchronized void close() {
		this.open.forEach(Runnable::run);
		this.open.clear();
	}

}
