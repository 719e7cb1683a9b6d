package io.leaderelection.observed;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;

/**
 * The leases that were granted through this store, as their records were last written. It
 * saves reading, and every write checks what it says. Only the end is decided here: a
 * lease that was given up, or not renewed in time, is over for its holder, though its
 * record may still be there.
 */
final class OwnLeases {

	private final LongSupplier nanos;

	private final Map<Key, OwnLease> leases = new ConcurrentHashMap<>();

	OwnLeases(LongSupplier nanos) {
		this.nanos = nanos;
	}

	/**
	 * Takes note of a lease whose record was written.
	 * @param lease the lease
	 * @param version the version of the record
	 * @param sentAt when the write was sent, or earlier
	 */
	void holds(Lease lease, Object version, long sentAt) {
		OwnLease held = new OwnLease(lease, new Present(LeaseRecord.held(lease), version), sentAt, false);
		// a lease that was given up meanwhile stays so, and a late answer replaces none
		this.leases.merge(Key.of(lease), held, (before, now) -> (before.lease.token() > lease.token()
				|| (before.lease.token() == lease.token() && before.givenUp)) ? before : now);
	}

	/** How the record of a lease was last written. */
	Optional<Sight> written(Lease lease) {
		return find(lease).map(OwnLease::written);
	}

	/** Whether this leadership is over for its holder, whatever the record says. */
	boolean isOver(Lease lease) {
		return find(lease)
			.filter((own) -> own.givenUp || this.nanos.getAsLong() - own.sentAt >= own.lease.duration().toNanos())
			.isPresent();
	}

	boolean isGivenUp(Lease lease) {
		return find(lease).filter(OwnLease::givenUp).isPresent();
	}

	/** From now on this leadership is over, whether the record can be changed or not. */
	void giveUp(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease),
				(key, own) -> (own.lease.token() == lease.token()) ? own.over() : own);
	}

	private Optional<OwnLease> find(Lease lease) {
		return Optional.ofNullable(this.leases.get(Key.of(lease))).filter((own) -> own.lease.token() == lease.token());
	}

	private record Key(String election, Owner owner) {

		static Key of(Lease lease) {
			return new Key(lease.election(), lease.owner());
		}

	}

	private record OwnLease(Lease lease, Sight written, long sentAt, boolean givenUp) {

		OwnLease over() {
			return new OwnLease(this.lease, this.written, this.sentAt, true);
		}

	}

}
