package io.leaderelection.observed;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of many leases: as a rule one write for each, on the condition that the
 * record is as it was last written. Only where that fails, the record is read, and
 * written again if it is still this holder's.
 */
final class Renewing {

	private static final int MOST_LOOKS = 5;

	private final ObservedLeaseStore store;

	private final Limit limit;

	private final List<Renewal> renewals;

	private final @Nullable RenewResult[] results;

	Renewing(ObservedLeaseStore store, Limit limit, List<Renewal> renewals) {
		this.store = store;
		this.limit = limit;
		this.renewals = renewals;
		this.results = new RenewResult[renewals.size()];
	}

	List<RenewResult> answers() {
		for (int i : open()) {
			if (this.store.own().isOver(lease(i))) {
				lost(i);
			}
		}
		Writing writing = this.store.writing();
		for (int i : open()) {
			this.store.own().written(lease(i)).ifPresent((seen) -> writing.add(i, renewal(i, seen)));
		}
		writing.send(this.limit, this::renewed);
		for (int round = 0; round < MOST_LOOKS && !open().isEmpty(); round++) {
			lookAndRenew();
		}
		if (!open().isEmpty()) {
			throw new LeaseStoreException("The record of '%s' changed too often while it was renewed"
				.formatted(lease(open().get(0)).election()));
		}
		return List.of(this.results);
	}

	private void lookAndRenew() {
		List<Integer> open = open();
		List<Look> looks = this.store.looks().at(open.stream().map((i) -> lease(i).election()).toList(), this.limit);
		Writing writing = this.store.writing();
		for (int k = 0; k < open.size(); k++) {
			int index = open.get(k);
			Optional<RenewResult> verdict = verdict(this.renewals.get(index), looks.get(k).seen());
			if (verdict.isEmpty()) {
				writing.add(index, renewal(index, looks.get(k).seen()));
			}
			else if (verdict.get() instanceof Lost) {
				lost(index);
			}
			else {
				this.results[index] = verdict.get();
			}
		}
		writing.send(this.limit, this::renewed);
	}

	/** Says what the record says; nothing if the lease may be renewed. */
	private static Optional<RenewResult> verdict(Renewal renewal, Sight seen) {
		if (!(seen instanceof Present present)
				|| (!present.record().isForeign() && present.record().token() < renewal.lease().token())) {
			// what cannot be read is no record either
			return renewal.createIfAbsent() ? Optional.empty() : Optional.of(new Absent());
		}
		return present.record().isHeldWith(renewal.lease()) ? Optional.empty() : Optional.of(new Lost());
	}

	private ConditionalWrite renewal(int index, Sight seen) {
		return new ConditionalWrite(lease(index).election(), seen, LeaseRecord.held(lease(index)));
	}

	private void renewed(int index, Object version, long sentAt) {
		this.store.own().holds(lease(index), version, sentAt);
		this.results[index] = new Renewed(lease(index).duration());
	}

	private void lost(int index) {
		this.store.own().giveUp(lease(index));
		this.results[index] = new Lost();
	}

	private List<Integer> open() {
		return IntStream.range(0, this.results.length).filter((i) -> this.results[i] == null).boxed().toList();
	}

	private Lease lease(int index) {
		return this.renewals.get(index).lease();
	}

}
