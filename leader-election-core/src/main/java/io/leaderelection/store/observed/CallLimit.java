package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.leaderelection.store.LeaseStoreException;

/**
 * How long a call may go on.
 *
 * @param allowed how long in all
 * @param nanos the clock
 * @param endsAt when that is over, on this clock
 */
record CallLimit(Duration allowed, LongSupplier nanos, long endsAt) {

	private static final Duration SHORTEST = Duration.ofMillis(500);

	/** The limit of a call about leases of which this is the shortest. */
	static CallLimit forLease(Duration lease, LongSupplier nanos) {
		Duration third = lease.dividedBy(3);
		return of((third.compareTo(SHORTEST) > 0) ? third : SHORTEST, nanos);
	}

	static CallLimit of(Duration allowed, LongSupplier nanos) {
		return new CallLimit(allowed, nanos, nanos.getAsLong() + allowed.toNanos());
	}

	Duration remaining() {
		long remaining = this.endsAt - this.nanos.getAsLong();
		if (remaining <= 0) {
			throw new LeaseStoreException("There was no answer within %d ms".formatted(this.allowed.toMillis()));
		}
		return Duration.ofNanos(remaining);
	}

}
