package io.leaderelection.redis;

import java.util.List;

import io.leaderelection.nodes.StaleWrites;
import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Writes under old leaderships, through the fence.
 */
class RedisStaleWritesTests {

	@Test
	void noneIsDone() throws Exception {
		try (RedisServer server = RedisServer.start(); RedisClients clients = new RedisClients()) {
			RedisConnectionFactory connections = clients.lettuce(server);
			RedisFence fence = new RedisFence(connections);
			StaleWrites.assertNoneIsAccepted("Redis", (token, meanwhile) -> {
				meanwhile.run();
				fence.execute(token, "return redis.call('RPUSH', KEYS[1], ARGV[1])", List.of("history"), token.value());
			}, () -> new StringRedisTemplate(connections).opsForList()
				.range("history", 0, -1)
				.stream()
				.map(Long::valueOf)
				.toList());
		}
	}

}
