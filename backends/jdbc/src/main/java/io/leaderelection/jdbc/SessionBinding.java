package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import org.jspecify.annotations.Nullable;

/**
 * What the leases of one call are bound to besides their rows.
 */
interface SessionBinding {

	/** Leases that end by their rows alone. */
	SessionBinding NONE = new SessionBinding() {

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
		public void observed(Set<String> elections, Collection<StoredLease> refused) {
		}

		@Override
		public void invalidate() {
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
	void observed(Set<String> elections, Collection<StoredLease> refused);

	/** The server of the rows does not know it. */
	void invalidate();

	default Candidacy bind(Candidacy asked) {
		return new Candidacy(asked.election(), owner(asked.owner()), asked.duration(), asked.tokenFloor(),
				asked.createIfAbsent());
	}

	default Lease bind(Lease lease) {
		return new Lease(lease.election(), owner(lease.owner()), lease.token(), lease.duration());
	}

	default @Nullable AcquireResult limit(@Nullable AcquireResult result) {
		return (result instanceof AcquireResult.Granted granted)
				? new AcquireResult.Granted(granted.token(), validFor(granted.validFor())) : result;
	}

	default @Nullable RenewResult limit(@Nullable RenewResult result) {
		return (result instanceof RenewResult.Renewed renewed) ? new RenewResult.Renewed(validFor(renewed.validFor()))
				: result;
	}

}
