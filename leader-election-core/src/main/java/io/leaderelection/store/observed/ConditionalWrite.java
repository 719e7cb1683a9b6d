package io.leaderelection.store.observed;

import java.util.Optional;

import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * A change of one record that fails if the record is no longer as it was read.
 *
 * @param election the election
 * @param expected the record as it was read
 * @param expectedHeartbeat the heartbeat of the lease that is taken over, as it was read:
 * the write also fails if there was a heartbeat since. Empty if there is nothing to
 * compare
 * @param next the new record
 */
public record ConditionalWrite(String election, RecordSnapshot expected, Optional<HeartbeatSnapshot> expectedHeartbeat,
		LeaseRecord next) {

	/**
	 * Whether the record stays as it is, so that a heartbeat renews the lease.
	 * @return {@code true} if a heartbeat is enough, on the condition that the record is
	 * as expected
	 */
	public boolean isHeartbeat() {
		return this.next.heartbeat() != null && this.expected instanceof Present present
				&& this.next.equals(present.record());
	}

}
