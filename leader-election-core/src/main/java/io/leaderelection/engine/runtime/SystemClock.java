package io.leaderelection.engine.runtime;

import io.leaderelection.engine.NodeClock;

/**
 * The clocks of this machine.
 */
final class SystemClock implements NodeClock {

	private final long start = System.nanoTime();

	@Override
	public long nanos() {
		return System.nanoTime() - this.start;
	}

	@Override
	public long wallMillis() {
		return System.currentTimeMillis();
	}

}
