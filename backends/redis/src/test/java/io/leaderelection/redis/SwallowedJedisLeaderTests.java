package io.leaderelection.redis;

class SwallowedJedisLeaderTests extends SwallowedRedisLeaderContract {

	SwallowedJedisLeaderTests() {
		super("jedis");
	}

}
