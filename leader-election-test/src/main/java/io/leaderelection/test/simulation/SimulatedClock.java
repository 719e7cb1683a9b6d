package io.leaderelection.test.simulation;

import java.time.Instant;

import io.leaderelection.engine.NodeClock;

/**
 * The clocks of a simulated machine: both run at a rate of their own, the wall clock can
 * be set, and the monotonic one stands still while the machine is suspended.
 */
final class SimulatedClock implements NodeClock {

	private static final long EPOCH_MILLIS = 1_750_000_000_000L;

	private final World world;

	private final double rate;

	private long wallOffsetMillis;

	private long monotonicOffset;

	private long suspendedNanos;

	private long suspendedAt = -1;

	SimulatedClock(World world, double rate, long wallOffsetMillis) {
		this.world = world;
		this.rate = rate;
		this.wallOffsetMillis = wallOffsetMillis;
	}

	@Override
	public long nanos() {
		long awake = ((this.suspendedAt >= 0) ? this.suspendedAt : this.world.now()) - this.suspendedNanos;
		return this.monotonicOffset + (long) (awake * this.rate);
	}

	@Override
	public long wallMillis() {
		return EPOCH_MILLIS + this.wallOffsetMillis + (long) (this.world.now() * this.rate) / World.MILLI;
	}

	Instant wallInstant() {
		return Instant.ofEpochMilli(EPOCH_MILLIS + this.wallOffsetMillis)
			.plusNanos((long) (this.world.now() * this.rate));
	}

	/** How long, in the world's time, a length on this clock takes. */
	long inWorldTime(long nanos) {
		return (long) Math.ceil(nanos / this.rate);
	}

	void jump(long millis) {
		this.wallOffsetMillis += millis;
	}

	/** Both clocks are another machine's. */
	void replace(long monotonicMillis, long wallMillis) {
		this.monotonicOffset += monotonicMillis * World.MILLI;
		jump(wallMillis);
	}

	void suspend() {
		this.suspendedAt = this.world.now();
	}

	void resume() {
		this.suspendedNanos += this.world.now() - this.suspendedAt;
		this.suspendedAt = -1;
	}

}
