package io.leaderelection.store.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;

/**
 * Keeps leases in this process; any number of nodes in it may share one. Elections across
 * processes need another store.
 *
 * <p>
 * Tokens rise with the wall clock in microseconds, so that they also rise across restarts
 * of the process and after {@link #clear()}.
 */
public final class InMemoryLeaseStore implements LeaseStore {

	private static final AcquireResult ABSENT = new AcquireResult.Absent();

	private static final RenewResult GONE = new RenewResult.Absent();

	private static final RenewResult LOST = new RenewResult.Lost();

	private final LongSupplier nanos;

	private final Clock wallClock;

	private final List<WakeUps> watchers = new CopyOnWriteArrayList<>();

	private Map<String, LeaseRecord> records = new HashMap<>();

	private long quarantineUntil = Long.MIN_VALUE;

	public InMemoryLeaseStore() {
		this(fromNow(System::nanoTime), Clock.systemUTC());
	}

	/**
	 * A store with clocks of its own.
	 * @param nanos for the lengths of leases: nanoseconds since a fixed moment, never
	 * falling
	 * @param wallClock for the height of tokens
	 */
	public InMemoryLeaseStore(LongSupplier nanos, Clock wallClock) {
		this.nanos = nanos;
		this.wallClock = wallClock;
	}

	private static LongSupplier fromNow(LongSupplier nanoTime) {
		long start = nanoTime.getAsLong();
		return () -> nanoTime.getAsLong() - start;
	}

	@Override
	public synchronized List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		List<AcquireResult> results = new ArrayList<>(candidacies.size());
		for (AcquireRequest candidacy : candidacies) {
			results.add(acquire(candidacy));
		}
		return results;
	}

	private AcquireResult acquire(AcquireRequest candidacy) {
		long now = this.nanos.getAsLong();
		LeaseRecord lease = this.records.get(candidacy.election());
		if (lease == null) {
			if (!candidacy.createIfAbsent()) {
				return ABSENT;
			}
			lease = new LeaseRecord();
		}
		if (lease.isHeld(now)) {
			if (lease.isOwnedBy(candidacy.owner()) && lease.token > candidacy.tokenFloor()) {
				lease.prolong(now, candidacy.duration());
				return new AcquireResult.Granted(lease.token, candidacy.duration());
			}
			if (!lease.isReservedFor(candidacy.owner())) {
				lease.standBy(candidacy, now);
				return lease.held(now);
			}
		}
		if (now < this.quarantineUntil) {
			return new AcquireResult.Held(Optional.empty(), lease.token, Duration.ofNanos(this.quarantineUntil - now),
					candidacy.duration());
		}
		long token = nextToken(Math.max(lease.token, candidacy.tokenFloor()));
		lease.grant(candidacy, token, now);
		this.records.put(candidacy.election(), lease);
		return new AcquireResult.Granted(token, candidacy.duration());
	}

	private long nextToken(long floor) {
		if (floor == Long.MAX_VALUE) {
			throw new LeaseStoreException("No token is higher than " + floor);
		}
		return Math.max(floor + 1, ChronoUnit.MICROS.between(Instant.EPOCH, this.wallClock.instant()));
	}

	@Override
	public synchronized List<RenewResult> renew(List<RenewRequest> renewals) {
		List<RenewResult> results = new ArrayList<>(renewals.size());
		for (RenewRequest renewal : renewals) {
			results.add(renew(renewal));
		}
		return results;
	}

	private RenewResult renew(RenewRequest renewal) {
		Lease lease = renewal.lease();
		long now = this.nanos.getAsLong();
		LeaseRecord present = this.records.get(lease.election());
		if (present == null || present.token < lease.token()) {
			if (!renewal.createIfAbsent()) {
				return GONE;
			}
			LeaseRecord rewritten = new LeaseRecord();
			rewritten.rewrite(lease, now);
			this.records.put(lease.election(), rewritten);
			return new RenewResult.Renewed(lease.duration());
		}
		if (present.isHeldWith(lease, now)) {
			present.prolong(now, lease.duration());
			return new RenewResult.Renewed(lease.duration());
		}
		return LOST;
	}

	@Override
	public void release(List<Lease> leases) {
		for (Lease lease : leases) {
			giveUp(lease, LeaseRecord::free);
		}
	}

	@Override
	public void transfer(Lease lease, String nodeId, Duration grace) {
		giveUp(lease, (present) -> present.reserve(nodeId, grace, this.nanos.getAsLong()));
	}

	private void giveUp(Lease lease, Consumer<LeaseRecord> change) {
		synchronized (this) {
			LeaseRecord present = this.records.get(lease.election());
			if (present == null || !present.isHeldWith(lease, this.nanos.getAsLong())) {
				return;
			}
			change.accept(present);
		}
		wakeUp(lease.election());
	}

	@Override
	public List<String> limits() {
		return List.of("Leases are kept in this process alone: every other process has a leader of its own.");
	}

	@Override
	public synchronized Optional<LeaseView> read(String election) {
		LeaseRecord lease = this.records.get(election);
		return Optional.ofNullable(lease).map((present) -> present.view(this.nanos.getAsLong()));
	}

	@Override
	public Optional<Watch> watch(WakeUps wakeUps) {
		this.watchers.add(wakeUps);
		return Optional.of(() -> this.watchers.remove(wakeUps));
	}

	/**
	 * Loses all records, as a store does that is flushed or replaced by an empty one.
	 */
	public synchronized void clear() {
		this.records.clear();
	}

	/**
	 * Frees the lease of an election whoever holds it, as an operator might in the store.
	 * The holder learns of it at its next renewal.
	 * @param election the election
	 */
	public void evict(String election) {
		synchronized (this) {
			LeaseRecord lease = this.records.get(election);
			if (lease == null) {
				return;
			}
			lease.free();
		}
		wakeUp(election);
	}

	/**
	 * Takes a copy of all records, as a replica has it.
	 * @return the copy
	 */
	public synchronized Snapshot snapshot() {
		return new Snapshot(copy(this.records));
	}

	/**
	 * Goes back to an earlier state, as a replica does that is promoted without the last
	 * writes, and grants no lease until those that may have been forgotten have ended.
	 * @param snapshot the earlier state
	 * @param quarantine the longest lease that may have been forgotten
	 */
	public synchronized void restore(Snapshot snapshot, Duration quarantine) {
		this.records = copy(snapshot.records);
		this.quarantineUntil = this.nanos.getAsLong() + quarantine.toNanos();
	}

	private static Map<String, LeaseRecord> copy(Map<String, LeaseRecord> records) {
		Map<String, LeaseRecord> copy = new HashMap<>();
		records.forEach((election, lease) -> copy.put(election, lease.copy()));
		return copy;
	}

	private void wakeUp(String election) {
		for (WakeUps watcher : this.watchers) {
			watcher.wakeUp(election);
		}
	}

	/**
	 * The records as they were at one moment.
	 */
	public static final class Snapshot {

		private final Map<String, LeaseRecord> records;

		private Snapshot(Map<String, LeaseRecord> records) {
			this.records = records;
		}

	}

}
