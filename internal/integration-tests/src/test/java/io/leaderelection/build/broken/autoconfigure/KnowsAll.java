package io.leaderelection.build.broken.autoconfigure;

import io.leaderelection.build.broken.redis.Redis;

public class KnowsAll {

	public Redis redis() {
		return new Redis();
	}

}
