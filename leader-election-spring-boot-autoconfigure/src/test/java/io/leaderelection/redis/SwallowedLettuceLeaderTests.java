package io.leaderelection.redis;

class SwallowedLettuceLeaderTests extends SwallowedRedisLeaderContract {

	SwallowedLettuceLeaderTests() {
		super("lettuce");
	}

}
