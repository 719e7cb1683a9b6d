package io.leaderelection.observed;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.observed.Sight.Unreadable;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.WakeUps;

/**
 * Keeps leases where there is one versioned record per election, and no clock.
 *
 * <p>
 * A holder renews its lease by writing the record anew, with a new version. Another may
 * take the lease when it is given up, or when it has seen the record unchanged for as
 * long as the lease lasts, on its own monotonic clock; the write that takes it fails if
 * there has been a renewal since. So safety rests on conditional writes, and on no clock
 * showing the right time. A record that was granted or renewed unheard ends like any
 * other.
 */
public class ObservedLeaseStore implements LeaseStore, AutoCloseable {

	private static final Duration LIMIT_OF_OTHER_CALLS = Duration.ofSeconds(3);

	private static final Duration LIMIT_OF_CLOSING = Duration.ofMillis(500);

	private final LeaseRecords records;

	private final LongSupplier nanos;

	private final InstantSource clock;

	private final OwnLeases own;

	private final Looks looks;

	private final StandingBy standingBy;

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
	 * @param nanos for how long records were seen unchanged
	 * @param clock for the height of tokens
	 */
	protected ObservedLeaseStore(LeaseRecords records, LongSupplier nanos, InstantSource clock) {
		this.records = records;
		this.nanos = nanos;
		this.clock = clock;
		this.own = new OwnLeases(nanos);
		this.looks = new Looks(records, new Sightings(nanos));
		this.standingBy = new StandingBy(records, nanos);
	}

	@Override
	public final List<AcquireResult> acquire(List<Candidacy> candidacies) {
		if (candidacies.isEmpty()) {
			return List.of();
		}
		Limit limit = limit(candidacies.stream().map(Candidacy::duration));
		List<AcquireResult> answers = new Acquiring(this, limit, candidacies).answers();
		this.standingBy.answered(candidacies, answers, limit);
		return answers;
	}

	@Override
	public final List<RenewResult> renew(List<Renewal> renewals) {
		if (renewals.isEmpty()) {
			return List.of();
		}
		Limit limit = limit(renewals.stream().map(Renewal::lease).map(Lease::duration));
		return new Renewing(this, limit, renewals).answers();
	}

	@Override
	public final void release(List<Lease> leases) {
		giveUp(leases, LeaseRecord::free);
	}

	@Override
	public final void transfer(Lease lease, String nodeId, Duration grace) {
		if (!this.own.isOver(lease)) {
			giveUp(List.of(lease), (given) -> LeaseRecord.reserved(given, nodeId, grace));
		}
	}

	private void giveUp(List<Lease> leases, Function<Lease, LeaseRecord> next) {
		if (!leases.isEmpty()) {
			new GivingUp(this, limit(leases.stream().map(Lease::duration)), leases, next).run();
		}
	}

	private static Limit limit(Stream<Duration> leases) {
		return Limit.forLease(leases.min(Comparator.naturalOrder()).orElseThrow());
	}

	@Override
	public final Optional<LeaseView> read(String election) {
		Limit limit = Limit.of(LIMIT_OF_OTHER_CALLS);
		Look look = this.looks.at(List.of(election), limit).get(0);
		if (look.seen() instanceof Unreadable unreadable) {
			throw new LeaseStoreException("%s does not hold the record of an election".formatted(unreadable.where()));
		}
		return (look.seen() instanceof Present present)
				? Optional.of(view(election, present.record(), look.unchanged(), limit)) : Optional.empty();
	}

	private LeaseView view(String election, LeaseRecord record, Duration unchanged, Limit limit) {
		Duration remaining = record.isForAnybody() ? Duration.ZERO : record.duration().minus(unchanged);
		boolean over = remaining.compareTo(Duration.ZERO) <= 0;
		Optional<Owner> holder = over ? Optional.empty() : Optional.ofNullable(record.holder());
		List<String> candidates = this.records.candidates(election, limit.remaining())
			.stream()
			.filter((candidate) -> !Objects.equals(candidate, record.holder()))
			.map(Owner::nodeId)
			.distinct()
			.sorted()
			.toList();
		return new LeaseView(holder, record.token(), over ? Duration.ZERO : remaining, candidates);
	}

	@Override
	public final Optional<Watch> watch(WakeUps wakeUps) {
		return this.records.watch(new Watching(this.looks, wakeUps));
	}

	@Override
	public final void rehearse(Owner owner) {
		this.records.rehearse(owner);
	}

	@Override
	public final List<String> limits() {
		return this.records.limits();
	}

	@Override
	public void close() {
		this.standingBy.withdrawAll(Limit.of(LIMIT_OF_CLOSING));
		this.records.close();
	}

	final OwnLeases own() {
		return this.own;
	}

	final Looks looks() {
		return this.looks;
	}

	final InstantSource clock() {
		return this.clock;
	}

	final Writing writing() {
		return new Writing(this.records, this.nanos);
	}

}
