package io.leaderelection.store.observed;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.observed.ExpiryTracker.UnchangedHeartbeat;
import io.leaderelection.store.observed.HeldLeases.Key;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.RecordSnapshot.Unreadable;

/**
 * Keeps leases where there is one versioned record per election, and no clock. Two nodes
 * never hold a lease at the same time, provided that writes are conditional on versions
 * and that monotonic clocks run at nearly the same rate. Clocks need not show the same
 * time.
 *
 * <p>
 * A holder renews its lease by writing the record, with a new version, or, if the store
 * has {@link HeartbeatRecords}, by one heartbeat for all its leases. Another node may
 * take the lease when it is released, or when it has seen record and heartbeat unchanged
 * for as long as the lease lasts, on its own monotonic clock. The write that takes the
 * lease fails if there has been a renewal since. A lease whose grant or renewal was not
 * answered ends like any other.
 */
public class ObservedLeaseStore implements LeaseStore, AutoCloseable {

	private static final Logger logger = System.getLogger(ObservedLeaseStore.class.getName());

	private static final Duration LIMIT_OF_OTHER_CALLS = Duration.ofSeconds(3);

	private static final Duration LIMIT_OF_CLOSING = Duration.ofMillis(500);

	private final LeaseRecords records;

	private final LongSupplier nanos;

	private final InstantSource clock;

	private final HeldLeases held;

	private final ExpiryTracker tracker = new ExpiryTracker();

	private final RecordReader reader;

	private final CandidateRegistry registry;

	private final AtomicInteger watches = new AtomicInteger();

	/**
	 * A store on these records, which are closed with it.
	 * @param records the records
	 */
	public ObservedLeaseStore(LeaseRecords records) {
		this(records, System::nanoTime, InstantSource.system());
	}

	/**
	 * A store with clocks of its own.
	 * @param records the records
	 * @param nanos measures how long records were seen unchanged
	 * @param clock for the height of tokens
	 */
	public ObservedLeaseStore(LeaseRecords records, LongSupplier nanos, InstantSource clock) {
		this.records = records;
		this.nanos = nanos;
		this.clock = clock;
		this.held = new HeldLeases(nanos);
		this.reader = new RecordReader(records, this.tracker, nanos);
		this.registry = new CandidateRegistry(records, nanos);
	}

	@Override
	public final List<AcquireResult> acquire(List<AcquireRequest> candidacies) {
		if (candidacies.isEmpty()) {
			return List.of();
		}
		candidacies.stream().map(AcquireRequest::owner).distinct().forEach(this.tracker::observedBy);
		beginHeartbeat(candidacies.stream().map(AcquireRequest::duration));
		CallLimit limit = limit(candidacies.stream().map(AcquireRequest::duration));
		List<AcquireResult> results = new AcquireOperation(this, limit, candidacies).results();
		this.registry.answered(candidacies, results);
		this.registry.register(results.stream().anyMatch(AcquireResult.Granted.class::isInstance), limit);
		releaseAbandoned(candidacies.stream().map((candidacy) -> new Key(candidacy.election(), candidacy.owner())),
				limit);
		return results;
	}

	@Override
	public final List<RenewResult> renew(List<RenewRequest> renewals) {
		if (renewals.isEmpty()) {
			return List.of();
		}
		beginHeartbeat(renewals.stream().map(RenewRequest::lease).map(Lease::duration));
		CallLimit limit = limit(renewals.stream().map(RenewRequest::lease).map(Lease::duration));
		List<RenewResult> results = new RenewOperation(this, limit, renewals).results();
		this.registry.register(false, limit);
		releaseAbandoned(renewals.stream().map(RenewRequest::lease).map(Key::of), limit);
		return results;
	}

	/** Connecting for the first time is not limited by the lease. */
	private void beginHeartbeat(Stream<Duration> leases) {
		heartbeat(leases.max(Comparator.naturalOrder()).orElseThrow(), CallLimit.of(LIMIT_OF_OTHER_CALLS, this.nanos));
	}

	/** Heartbeats for other leases would keep these alive. */
	private void releaseAbandoned(Stream<Key> wanted, CallLimit limit) {
		List<Lease> abandoned = this.held.abandoned(wanted.collect(Collectors.toSet()));
		if (!abandoned.isEmpty()) {
			try {
				new ReleaseOperation(this, limit, abandoned, LeaseRecord::free).run();
			}
			catch (LeaseStoreException ex) {
				logger.log(Level.DEBUG, "Abandoned leases could not be released; the next call tries again", ex);
			}
		}
	}

	@Override
	public final void release(List<Lease> leases) {
		giveUp(leases, LeaseRecord::free);
	}

	@Override
	public final void transfer(Lease lease, String nodeId, Duration grace) {
		if (!this.held.isOver(lease)) {
			giveUp(List.of(lease), (given) -> LeaseRecord.reserved(given, nodeId, grace));
		}
	}

	private void giveUp(List<Lease> leases, Function<Lease, LeaseRecord> next) {
		if (!leases.isEmpty()) {
			new ReleaseOperation(this, limit(leases.stream().map(Lease::duration)), leases, next).run();
		}
	}

	private CallLimit limit(Stream<Duration> leases) {
		return CallLimit.forLease(leases.min(Comparator.naturalOrder()).orElseThrow(), this.nanos);
	}

	@Override
	public final Optional<LeaseView> read(String election) {
		CallLimit limit = CallLimit.of(LIMIT_OF_OTHER_CALLS, this.nanos);
		RecordSnapshot snapshot = this.reader.read(List.of(election), limit).get(0);
		if (snapshot instanceof Unreadable unreadable) {
			throw new LeaseStoreException(
					"%s does not contain the record of an election".formatted(unreadable.location()));
		}
		return (snapshot instanceof Present present) ? Optional.of(view(election, present, limit)) : Optional.empty();
	}

	private LeaseView view(String election, Present present, CallLimit limit) {
		LeaseRecord record = present.record();
		Duration remaining = record.isFree() ? Duration.ZERO : record.duration().minus(unchanged(election, present));
		boolean over = remaining.compareTo(Duration.ZERO) <= 0;
		Optional<Owner> holder = over ? Optional.empty() : Optional.ofNullable(record.holder());
		List<String> candidates = this.records.candidates(election, limit.remaining())
			.stream()
			.filter((candidate) -> over || !Objects.equals(candidate, record.holder()))
			.map(Owner::nodeId)
			.distinct()
			.sorted()
			.toList();
		return new LeaseView(holder, record.token(), over ? Duration.ZERO : remaining, candidates);
	}

	private Duration unchanged(String election, Present present) {
		Duration ofRecord = this.tracker.unchanged(election, present, now());
		String id = present.record().heartbeat();
		if (id == null) {
			return ofRecord;
		}
		UnchangedHeartbeat heartbeat = this.tracker.heartbeat(id, now());
		Duration ofHeartbeat = (heartbeat != null) ? heartbeat.unchanged() : Duration.ZERO;
		return (ofHeartbeat.compareTo(ofRecord) < 0) ? ofHeartbeat : ofRecord;
	}

	@Override
	public final Optional<Watch> watch(WakeUps wakeUps) {
		return this.records.watch(new RecordWatcher(this, wakeUps)).map((watch) -> {
			this.watches.incrementAndGet();
			return () -> {
				watch.close();
				if (this.watches.decrementAndGet() == 0) {
					this.registry.withdrawAll(CallLimit.of(LIMIT_OF_CLOSING, this.nanos));
				}
			};
		});
	}

	@Override
	public final List<String> limits() {
		return this.records.limits();
	}

	@Override
	public void close() {
		this.registry.withdrawAll(CallLimit.of(LIMIT_OF_CLOSING, this.nanos));
		this.records.close();
	}

	final LeaseRecords records() {
		return this.records;
	}

	final HeldLeases held() {
		return this.held;
	}

	final ExpiryTracker tracker() {
		return this.tracker;
	}

	final RecordReader reader() {
		return this.reader;
	}

	final InstantSource clock() {
		return this.clock;
	}

	final long now() {
		return this.nanos.getAsLong();
	}

	/** The heartbeat for new records; none if every renewal writes its record. */
	final @Nullable String heartbeat(Duration lease, CallLimit limit) {
		return (this.records instanceof HeartbeatRecords heartbeats) ? heartbeats.heartbeat(lease, limit.remaining())
				: null;
	}

}
