package io.leaderelection.redis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnection;
import org.springframework.util.ClassUtils;

/**
 * Closes the socket of a Jedis connection before it goes back to its pool. An answer that
 * nobody has read would be read by the next user as the answer to another question.
 */
final class JedisSocket {

	private static final boolean JEDIS_PRESENT = ClassUtils.isPresent("redis.clients.jedis.Jedis",
			JedisSocket.class.getClassLoader());

	private JedisSocket() {
	}

	static void close(RedisConnection connection) {
		if (JEDIS_PRESENT) {
			Jedis.close(connection);
		}
	}

	private static final class Jedis {

		private static void close(RedisConnection connection) {
			if (connection instanceof JedisConnection jedis) {
				jedis.getNativeConnection().disconnect();
			}
		}

	}

}
