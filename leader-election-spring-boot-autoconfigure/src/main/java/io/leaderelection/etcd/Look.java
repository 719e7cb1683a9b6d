package io.leaderelection.etcd;

import org.jspecify.annotations.Nullable;

/**
 * What was read of one election. It may be out of date when it arrives; whatever is
 * written on the strength of it is conditioned on it.
 *
 * @param election the election
 * @param seen what stands at its key
 * @param record what that means; none if there is nothing, or nothing that can be read
 * @param proof the last proof of life of the holder's session
 */
record Look(String election, Seen seen, @Nullable LeaseRecord record, Seen proof) {

	boolean isAbsent() {
		return this.seen.isNothing();
	}

	/** Whether there is something that no store has written. */
	boolean isUnreadable() {
		return !this.seen.isNothing() && this.record == null;
	}

}
