package io.leaderelection.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * What a native image cannot see: the scripts, and what is asked for by its name.
 */
class RedisHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/leaderelection/redis/*.lua");
		// without it, nobody would keep a Jedis connection with a late answer from
		// its pool
		hints.reflection().registerTypeIfPresent(classLoader, JedisSocket.JEDIS);
	}

}
