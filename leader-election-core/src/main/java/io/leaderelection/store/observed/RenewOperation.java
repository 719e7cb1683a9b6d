package io.leaderelection.store.observed;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * A batch of renewals: as a rule writes only, on the condition that each record is as it
 * was last written. A record is read only if that fails, and written again if it still
 * names this holder.
 */
final class RenewOperation extends BatchOperation {

	private static final int MOST_ROUNDS = 5;

	private final List<RenewRequest> renewals;

	private final @Nullable RenewResult[] results;

	RenewOperation(ObservedLeaseStore store, CallLimit limit, List<RenewRequest> renewals) {
		super(store, limit, renewals.size());
		this.renewals = renewals;
		this.results = new RenewResult[renewals.size()];
	}

	List<RenewResult> results() {
		List<Integer> open = run(MOST_ROUNDS);
		if (!open.isEmpty()) {
			throw new LeaseStoreException(
					"The record of '%s' changed too often while it was renewed".formatted(election(open.get(0))));
		}
		return List.of(this.results);
	}

	@Override
	String election(int index) {
		return lease(index).election();
	}

	@Override
	void begin(int index) {
		if (store().held().isOver(lease(index))) {
			store().held().giveUp(lease(index));
			answer(index, new Lost());
		}
		else {
			store().held().written(lease(index)).ifPresent((written) -> renew(index, written));
		}
	}

	@Override
	void decide(int index, RecordSnapshot snapshot) {
		RenewRequest renewal = this.renewals.get(index);
		if (!(snapshot instanceof Present present)
				|| (!present.record().isForeign() && present.record().token() < renewal.lease().token())) {
			// what cannot be read is no record either
			if (renewal.createIfAbsent()) {
				renew(index, snapshot);
			}
			else {
				answer(index, new Absent());
			}
		}
		else if (present.record().isHeldWith(renewal.lease())) {
			renew(index, present);
		}
		else {
			store().held().forget(renewal.lease());
			answer(index, new Lost());
		}
	}

	private void renew(int index, RecordSnapshot expected) {
		Lease lease = lease(index);
		write(index, expected, Optional.empty(), LeaseRecord.held(lease, store().heartbeat(lease.duration(), limit())));
	}

	@Override
	void written(int index, Present written, long sentAt) {
		store().held().holds(lease(index), written, sentAt);
		this.results[index] = new Renewed(lease(index).duration());
	}

	private void answer(int index, RenewResult result) {
		this.results[index] = result;
		answered(index);
	}

	private Lease lease(int index) {
		return this.renewals.get(index).lease();
	}

}
