package io.leaderelection.build.broken.annotation;

import io.leaderelection.build.broken.redis.Redis;

class KnowsRedis {

	private final Redis other = new Redis();

	Redis other() {
		return this.other;
	}

}
