package io.leaderelection.engine;

/**
 * The clocks of this machine.
 */
public final class SystemClock implements NodeClock {

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
