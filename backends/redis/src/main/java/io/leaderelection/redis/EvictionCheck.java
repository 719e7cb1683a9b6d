package io.leaderelection.redis;

import java.util.Map;
import java.util.Properties;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Checks once whether the server may evict records of elections, which can lead to two
 * leaders. A server that does not answer the question is not reported.
 */
final class EvictionCheck {

	private static final Log logger = LogFactory.getLog(RedisLeaseStore.class);

	private static final String POLICY = "maxmemory_policy";

	private final RedisConnectionFactory connectionFactory;

	private boolean checked;

	private volatile @Nullable String warning;

	EvictionCheck(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = connectionFactory;
	}

	/** The reason and the remedy; {@code null} if no eviction was found. */
	@Nullable String warning() {
		return this.warning;
	}

	synchronized void check() {
		if (this.checked) {
			return;
		}
		this.checked = true;
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			Properties memory = connection.serverCommands().info("memory");
			if (memory != null) {
				check(memory);
			}
		}
		catch (RuntimeException ex) {
			logger.debug("The server does not tell its maxmemory-policy", ex);
		}
	}

	/** In a Cluster, the name of each node precedes that of the field. */
	private void check(Properties memory) {
		for (Map.Entry<Object, Object> entry : memory.entrySet()) {
			String field = entry.getKey().toString();
			String policy = entry.getValue().toString();
			if (field.endsWith(POLICY) && !policy.equals("noeviction")) {
				String limit = memory.getProperty(field.replace(POLICY, "maxmemory"), "0");
				if (!limit.equals("0")) {
					String found = ("Redis may evict the records of elections, which can lead to two leaders: its "
							+ "maxmemory-policy is %s and its maxmemory %s. Set maxmemory-policy noeviction, or use a "
							+ "Redis that is not a cache.")
						.formatted(policy, limit);
					this.warning = found;
					logger.warn(found);
					return;
				}
			}
		}
	}

}
