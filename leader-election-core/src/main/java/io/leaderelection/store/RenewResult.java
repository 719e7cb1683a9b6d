package io.leaderelection.store;

import java.time.Duration;

/**
 * The store's answer to the renewal of one {@link Lease}.
 */
public sealed interface RenewResult {

	/**
	 * The lease lasts on.
	 *
	 * @param validFor how long at least, from the sending of the request
	 */
	record Renewed(Duration validFor) implements RenewResult {
	}

	/**
	 * There is no record, or only one of an earlier leadership, and the renewal did not
	 * allow to write it: the store has lost its last writes.
	 */
	record Absent() implements RenewResult {
	}

	/**
	 * The lease has ended or is another's. Definite: it is never renewed again.
	 */
	record Lost() implements RenewResult {
	}

}
