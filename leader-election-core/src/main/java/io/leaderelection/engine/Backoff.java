package io.leaderelection.engine;

import java.util.random.RandomGenerator;

import io.leaderelection.ElectionSettings;

/**
 * How candidates spread out in time.
 */
final class Backoff {

	private static final int JITTER_PART = 200;

	private static final int FIRST_RETRY_PART = 100;

	private static final int MOST_DOUBLINGS = 10;

	private final RandomGenerator random;

	Backoff(RandomGenerator random) {
		this.random = random;
	}

	/** The spread of attempts at the end of a lease. */
	long jitter(ElectionSettings settings) {
		return this.random.nextLong(settings.leaseDuration().toNanos() / JITTER_PART + 1);
	}

	/** How long to wait after a failure: a moment at first, then within the interval. */
	long retryDelay(ElectionSettings settings, int failures) {
		double first = (double) settings.leaseDuration().toNanos() / FIRST_RETRY_PART;
		double longest = settings.renewInterval().toNanos() / 2.0;
		int doublings = Math.max(0, Math.min(failures - 1, MOST_DOUBLINGS));
		long delay = (long) Math.max(2, Math.min(longest, first * (1 << doublings)));
		return delay / 2 + this.random.nextLong(delay / 2 + 1);
	}

}
