package io.leaderelection.build.broken.annotation;

import io.leaderelection.build.broken.autoconfigure.KnowsAll;

class KnowsAutoConfiguration {

	private final KnowsAll other = new KnowsAll();

	KnowsAll other() {
		return this.other;
	}

}
