package io.leaderelection.build.broken.redis;

import io.leaderelection.build.broken.observed.KnowsRedis;

class KnowsObserved {

	private final KnowsRedis other = new KnowsRedis();

	KnowsRedis other() {
		return this.other;
	}

}
