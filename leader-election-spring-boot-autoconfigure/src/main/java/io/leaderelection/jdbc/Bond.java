package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

import io.leaderelection.store.Owner;

/**
 * What the leases of one call are bound to besides their rows.
 */
interface Bond {

	/** Leases that end by their rows alone. */
	Bond NONE = new Bond() {

		@Override
		public Owner owner(Owner owner) {
			return owner;
		}

		@Override
		public SessionConditions conditions() {
			return SessionConditions.NONE;
		}

		@Override
		public Duration validFor(Duration lease) {
			return lease;
		}

		@Override
		public void asked(Set<String> elections, Collection<StoredLease> refused) {
		}

		@Override
		public void broken() {
		}

	};

	/** The owner as rows name it. */
	Owner owner(Owner owner);

	SessionConditions conditions();

	/**
	 * How long a lease that was granted or renewed lasts at least, from the beginning of
	 * the call.
	 */
	Duration validFor(Duration lease);

	/** Takes note of who leads where this node does not. */
	void asked(Set<String> elections, Collection<StoredLease> refused);

	/** The server of the rows does not know it. */
	void broken();

}
