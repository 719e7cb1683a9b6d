package io.leaderelection.store.observed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * The leases that were granted through this store, with their records as last written. It
 * saves reading, and every write checks it. Only the end is decided here: a lease that
 * was given up, or not renewed in time, is over for its holder, although its record may
 * still name it.
 *
 * <p>
 * A lease that is no longer renewed, or whose grant or release was not answered, would be
 * kept alive by the heartbeats for the other leases of the node. Such leases are
 * {@linkplain #abandoned abandoned}, and have to be released.
 */
final class HeldLeases {

	private final LongSupplier nanos;

	private final Map<Key, HeldLease> leases = new ConcurrentHashMap<>();

	private final Map<Key, Request> requests = new ConcurrentHashMap<>();

	HeldLeases(LongSupplier nanos) {
		this.nanos = nanos;
	}

	/** A lease is requested that a heartbeat would renew; the answer may be lost. */
	void requested(Lease lease) {
		this.requests.put(Key.of(lease), new Request(lease, this.nanos.getAsLong()));
	}

	void refused(Lease lease) {
		this.requests.computeIfPresent(Key.of(lease), (key, request) -> request.lease.equals(lease) ? null : request);
	}

	/**
	 * Takes note of a lease whose record or heartbeat was written.
	 * @param lease the lease
	 * @param written the record
	 * @param sentAt when the write was sent, or earlier
	 */
	void holds(Lease lease, Present written, long sentAt) {
		HeldLease held = new HeldLease(lease, written, sentAt, false);
		// a lease that was given up meanwhile stays so, and a late answer replaces none
		this.leases.merge(Key.of(lease), held,
				(before, now) -> (before.lease.token() > lease.token()
						|| (before.lease.token() == lease.token() && (before.givenUp || before.sentAt > sentAt)))
								? before : now);
		this.requests.computeIfPresent(Key.of(lease),
				(key, request) -> (request.lease.token() <= lease.token()) ? null : request);
	}

	/** The record of a lease as it was last written. */
	Optional<Present> written(Lease lease) {
		return find(lease).map(HeldLease::written);
	}

	/** Whether this leadership is over for its holder, whatever the record contains. */
	boolean isOver(Lease lease) {
		return find(lease).filter((held) -> held.isOver(this.nanos.getAsLong())).isPresent();
	}

	boolean isGivenUp(Lease lease) {
		return find(lease).filter(HeldLease::givenUp).isPresent();
	}

	/** From now on this leadership is over, whether the record can be changed or not. */
	void giveUp(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease),
				(key, held) -> (held.lease.token() == lease.token()) ? held.over() : held);
	}

	/** The record does not name this leadership any more. */
	void forget(Lease lease) {
		this.leases.computeIfPresent(Key.of(lease), (key, held) -> (held.lease.token() == lease.token()) ? null : held);
		refused(lease);
	}

	/**
	 * The leases that heartbeats for others keep alive.
	 * @param wanted the leases and candidates of the present call, which are left alone
	 */
	List<Lease> abandoned(Set<Key> wanted) {
		long now = this.nanos.getAsLong();
		List<Lease> abandoned = new ArrayList<>();
		this.leases.forEach((key, held) -> {
			if (held.written.record().heartbeat() != null && !wanted.contains(key) && held.isOver(now)) {
				abandoned.add(held.lease);
			}
		});
		this.requests.forEach((key, request) -> {
			if (!wanted.contains(key) && now - request.sentAt >= request.lease.duration().toNanos()
					&& !this.leases.containsKey(key)) {
				abandoned.add(request.lease);
			}
		});
		return abandoned;
	}

	private Optional<HeldLease> find(Lease lease) {
		return Optional.ofNullable(this.leases.get(Key.of(lease)))
			.filter((held) -> held.lease.token() == lease.token());
	}

	/**
	 * Identifies the holder of a lease, or a candidate for it.
	 */
	record Key(String election, Owner owner) {

		static Key of(Lease lease) {
			return new Key(lease.election(), lease.owner());
		}

	}

	private record Request(Lease lease, long sentAt) {
	}

	private record HeldLease(Lease lease, Present written, long sentAt, boolean givenUp) {

		HeldLease over() {
			return new HeldLease(this.lease, this.written, this.sentAt, true);
		}

		boolean isOver(long now) {
			long elapsed = now - this.sentAt;
			// a clock that has gone back is another one, as after a checkpoint
			return this.givenUp || elapsed < 0 || elapsed >= this.lease.duration().toNanos();
		}

	}

}
