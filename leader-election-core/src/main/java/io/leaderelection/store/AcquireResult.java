package io.leaderelection.store;

import java.time.Duration;
import java.util.Optional;

/**
 * The store's answer to an {@link AcquireRequest}.
 */
public sealed interface AcquireResult {

	/**
	 * The candidate holds the lease.
	 *
	 * @param token the token of this leadership, higher than any before
	 * @param validFor how long the lease lasts at least, from the sending of the request
	 */
	record Granted(long token, Duration validFor) implements AcquireResult {
	}

	/**
	 * The lease is another's, or reserved for another.
	 *
	 * @param nodeId who holds it; empty while it is reserved, or if the store cannot know
	 * @param token the token in the record
	 * @param remaining when it ends unless it is renewed: the time to try again
	 * @param duration how long the lease lasts from each renewal on
	 * @param blockedBy what prevents that a lease which has ended is granted, such as an
	 * open transaction; empty if nothing does
	 */
	record Held(Optional<String> nodeId, long token, Duration remaining, Duration duration,
			Optional<String> blockedBy) implements AcquireResult {

		/**
		 * An answer of which only time is to be waited for.
		 * @param nodeId who holds it; empty while it is reserved, or if the store cannot
		 * know
		 * @param token the token in the record
		 * @param remaining when it ends unless it is renewed: the time to try again
		 * @param duration how long the lease lasts from each renewal on
		 */
		public Held(Optional<String> nodeId, long token, Duration remaining, Duration duration) {
			this(nodeId, token, remaining, duration, Optional.empty());
		}

	}

	/**
	 * There is no record, and the candidacy did not allow to create it.
	 */
	record Absent() implements AcquireResult {
	}

}
