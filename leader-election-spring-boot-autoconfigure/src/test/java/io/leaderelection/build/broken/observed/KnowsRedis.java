package io.leaderelection.build.broken.observed;

import io.leaderelection.build.broken.redis.Redis;

public class KnowsRedis {

	private final Redis other = new Redis();

	Redis other() {
		return this.other;
	}

}
