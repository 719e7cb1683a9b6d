package io.leaderelection.redis;

import org.junit.jupiter.api.Tag;

@Tag("full")
class SwallowedJedisLeaderTests extends SwallowedRedisLeaderContract {

	SwallowedJedisLeaderTests() {
		super("jedis");
	}

}
