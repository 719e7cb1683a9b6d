package io.leaderelection.engine;

import java.time.Duration;

/**
 * Two clocks that a test sets.
 */
public final class ManualClock implements NodeClock {

	private volatile long nanos;

	private volatile Runnable beforeReading = () -> {
	};

	private volatile long wallMillis = 1_750_000_000_000L;

	public void setNanos(long nanos) {
		this.nanos = nanos;
	}

	void setWall(long wallMillis) {
		this.wallMillis = wallMillis;
	}

	/** Lets both clocks go on. */
	void advance(Duration time) {
		this.nanos += time.toNanos();
		this.wallMillis += time.toMillis();
	}

	/** Lets something happen just before the clock is read the next time. */
	void beforeNextReading(Runnable event) {
		this.beforeReading = () -> {
			this.beforeReading = () -> {
			};
			event.run();
		};
	}

	@Override
	public long nanos() {
		this.beforeReading.run();
		return this.nanos;
	}

	@Override
	public long wallMillis() {
		return this.wallMillis;
	}

}
