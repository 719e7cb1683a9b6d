package io.leaderelection.redis;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.test.contract.HostileRecord;
import io.leaderelection.test.contract.LeaseStoreContract;
import org.junit.jupiter.api.AfterEach;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract on Redis; each test has a prefix of its own.
 */
abstract class RedisLeaseStoreContract extends LeaseStoreContract {

	private static final long MICROS_PER_MILLI = 1000;

	final String prefix = "elections of " + UUID.randomUUID();

	final RedisClients clients = new RedisClients();

	abstract RedisConnectionFactory connect();

	@Override
	protected LeaseStore newStore() {
		return new RedisLeaseStore(connect(), this.prefix, true);
	}

	@Override
	protected LeaseStore newStoreWithOtherPrefix() {
		return new RedisLeaseStore(connect(), this.prefix + ":other", true);
	}

	@Override
	protected Duration leaseDuration() {
		return Duration.ofMillis(600);
	}

	@Override
	protected Duration longLeaseDuration() {
		return Duration.ofSeconds(4);
	}

	@Override
	protected void plant(HostileRecord hostile, String election) {
		StringRedisTemplate redis = new StringRedisTemplate(connect());
		String key = "{" + this.prefix + "}:" + election;
		redis.opsForHash().putIfAbsent(key, "token", "1");
		redis.opsForHash().putIfAbsent(key, "until", "0");
		redis.opsForHash().putIfAbsent(key, "duration", "1000000");
		switch (hostile) {
			case GARBAGE -> {
				redis.delete(key);
				redis.opsForValue().set(key, "text");
			}
			case NEGATIVE_TOKEN -> redis.opsForHash().put(key, "token", "-1");
			case HIGHEST_TOKEN -> redis.opsForHash().put(key, "token", String.valueOf(Long.MAX_VALUE));
			case OTHER_OWNER, OWNER_WITH_CONTROL_CHARACTERS -> {
				long minute = Duration.ofMinutes(1).toMillis();
				redis.opsForHash()
					.putAll(key,
							Map.of("node", hostile.text().isEmpty() ? "stranger" : hostile.text(), "incarnation",
									"unheard of", "duration", String.valueOf(minute * MICROS_PER_MILLI), "until",
									String.valueOf((System.currentTimeMillis() + minute) * MICROS_PER_MILLI)));
			}
			case TOKEN_HEXADECIMAL, TOKEN_OVERFLOW -> redis.opsForHash().put(key, "token", hostile.text());
			case END_NAN, END_HEXADECIMAL, END_OVERFLOW -> redis.opsForHash().put(key, "until", hostile.text());
			default -> redis.opsForHash().put(key, "duration", hostile.text());
		}
	}

	@AfterEach
	final void closeClients() {
		this.clients.close();
	}

}
