package io.leaderelection.chaos.history;

import java.time.Duration;

/**
 * How long things may take.
 *
 * @param lease how long a lease lasts, in nanoseconds
 * @param slack what a busy machine may add to everything
 * @param threads how many threads more a process may have at the end than at the
 * beginning
 * @param descriptors how many file descriptors more
 */
public record Bounds(long lease, long slack, int threads, int descriptors) {

	public static Bounds of(Duration lease, Duration slack) {
		return new Bounds(lease.toNanos(), slack.toNanos(), 8, 12);
	}

	/** Until when nobody may lead because of the fault. */
	long reach(Fault fault) {
		return fault.kind().reach(fault, this) + this.slack;
	}

}
