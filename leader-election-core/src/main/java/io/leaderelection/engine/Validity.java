package io.leaderelection.engine;

import java.time.Duration;

import io.leaderelection.ElectionSettings;
import io.leaderelection.engine.NodeClock.Moment;

/**
 * Until when a node may call itself leader. It counts from a moment before the request
 * that brought the lease was sent, on the clock that has moved further: the monotonic one
 * stands still on a suspended machine, the wall clock may be set back.
 */
final class Validity {

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final long startNanos;

	private final long startWallMillis;

	private final long lengthNanos;

	private final long lengthMillis;

	/** The validity of a lease that the store granted for this long. */
	static Validity of(ElectionSettings settings, Moment sentAt, Duration validFor) {
		return new Validity(sentAt, settings.validity(validFor).toNanos());
	}

	Validity(Moment sentAt, long lengthNanos) {
		this.startNanos = sentAt.nanos();
		this.startWallMillis = sentAt.wallMillis();
		this.lengthNanos = lengthNanos;
		// one less, since each reading of a clock in milliseconds may be almost one off
		this.lengthMillis = lengthNanos / NANOS_PER_MILLI - 1;
	}

	boolean holds(NodeClock clock) {
		return clock.nanos() - this.startNanos < this.lengthNanos
				&& clock.wallMillis() - this.startWallMillis < this.lengthMillis;
	}

	long remainingNanos(NodeClock clock) {
		long elapsedWall = clock.wallMillis() - this.startWallMillis;
		if (elapsedWall >= this.lengthMillis) {
			return 0;
		}
		long byNanos = this.lengthNanos - (clock.nanos() - this.startNanos);
		long byWall = (this.lengthMillis - Math.max(elapsedWall, 0)) * NANOS_PER_MILLI;
		return Math.max(0, Math.min(byNanos, byWall));
	}

	long startNanos() {
		return this.startNanos;
	}

	long endNanos() {
		return this.startNanos + this.lengthNanos;
	}

}
