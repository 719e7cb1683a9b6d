package io.leaderelection.observed;

import java.time.Duration;

import io.leaderelection.store.LeaseStoreException;

/**
 * How long a call may go on.
 *
 * @param allowed how long in all
 * @param endsAt when that is over, in nanoseconds of this process
 */
record Limit(Duration allowed, long endsAt) {

	private static final Duration SHORTEST = Duration.ofMillis(500);

	/** The limit of a call about leases of which this is the shortest. */
	static Limit forLease(Duration lease) {
		Duration third = lease.dividedBy(3);
		return of((third.compareTo(SHORTEST) > 0) ? third : SHORTEST);
	}

	static Limit of(Duration allowed) {
		return new Limit(allowed, System.nanoTime() + allowed.toNanos());
	}

	Duration remaining() {
		long remaining = this.endsAt - System.nanoTime();
		if (remaining <= 0) {
			throw new LeaseStoreException("There was no answer within %d ms".formatted(this.allowed.toMillis()));
		}
		return Duration.ofNanos(remaining);
	}

}
