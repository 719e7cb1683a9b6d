package io.leaderelection.redis;

import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisClusterConnection;
import org.springframework.data.redis.connection.jedis.JedisConnection;
import org.springframework.util.ClassUtils;

/**
 * Keeps Jedis connections out of their pool while an answer is due that nobody will read:
 * the next user would read it as the answer to another question.
 */
final class JedisSocket {

	static final String JEDIS = "redis.clients.jedis.UnifiedJedis";

	private static final boolean JEDIS_PRESENT = ClassUtils.isPresent(JEDIS, JedisSocket.class.getClassLoader());

	private JedisSocket() {
	}

	/** After a failure: whatever the server still says is not heard. */
	static void disconnect(RedisConnection connection) {
		if (JEDIS_PRESENT) {
			Presence.disconnect(connection);
		}
	}

	/**
	 * Ends a subscription that has failed. Closing the connection would send one more
	 * command over it, or over one that the client has put back into its pool already.
	 */
	static void closeSubscriber(RedisConnection connection) {
		if (!JEDIS_PRESENT || !Presence.discard(connection)) {
			connection.close();
		}
	}

	private static final class Presence {

		private static void disconnect(RedisConnection connection) {
			if (isJedis(connection) && connection.getNativeConnection() instanceof Jedis jedis) {
				jedis.disconnect();
			}
		}

		private static boolean discard(RedisConnection connection) {
			if (!isJedis(connection)) {
				return false;
			}
			if (connection.getNativeConnection() instanceof Jedis jedis) {
				jedis.disconnect();
				jedis.close();
			}
			return true;
		}

		/** Others may open a connection to answer what their native one is. */
		private static boolean isJedis(RedisConnection connection) {
			return connection instanceof JedisConnection || connection instanceof JedisClusterConnection;
		}

	}

}
