package io.leaderelection.chaos.node;

import java.util.List;

import io.leaderelection.FencingToken;
import io.leaderelection.redis.RedisFence;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A list in a Redis of its own, which no fault befalls: the resource of a leader that is
 * cut off from the store is mostly still in its reach.
 */
final class RedisRegister implements Register, AutoCloseable {

	/** The list of all accepted writes. */
	static final String KEY = "{register}:writes";

	private final LettuceConnectionFactory connections;

	private final RedisFence fence;

	private final String process;

	private final boolean fenced;

	RedisRegister(String host, int port, String process, boolean fenced) {
		this.connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(host, port));
		this.connections.afterPropertiesSet();
		this.connections.start();
		this.fence = new RedisFence(this.connections);
		this.process = process;
		this.fenced = fenced;
	}

	@Override
	public void write(FencingToken token, Runnable between) {
		between.run();
		String entry = token.value() + " " + this.process;
		if (this.fenced) {
			this.fence.execute(token, "return redis.call('RPUSH', KEYS[1], ARGV[1])", List.of(KEY), entry);
		}
		else {
			new StringRedisTemplate(this.connections).opsForList().rightPush(KEY, entry);
		}
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

}
