package io.leaderelection;

import java.time.Duration;
import java.util.Optional;

/**
 * One call of a node to its store, seen from where it matters: a call that has taken
 * longer than its timeout has failed, though the store's client may still wait. One call
 * renews, acquires or releases the leases of many elections.
 *
 * @param kind what was asked
 * @param took how long the answer took, or how long it was waited for
 * @param failure why it failed; empty if the store answered
 */
public record StoreCall(Kind kind, Duration took, Optional<Throwable> failure) {

	/**
	 * What a store is asked.
	 */
	public enum Kind {

		/** For leases: granted or refused, the store has answered. */
		ACQUIRE,

		/** To prolong leases. */
		RENEW,

		/** To take leases back. */
		RELEASE,

		/** To hand a lease to a named node. */
		TRANSFER,

		/** Who leads and who stands by. */
		READ

	}

}
