package io.leaderelection.store.observed;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * A batch of leases to be given up, on the condition that their records still name them.
 */
final class ReleaseOperation extends BatchOperation {

	private static final int MOST_ROUNDS = 5;

	private final List<Lease> leases;

	private final Function<Lease, LeaseRecord> next;

	/**
	 * Prepares to give leases up.
	 * @param store the store
	 * @param limit how long it may take
	 * @param leases the leases
	 * @param next the record that follows that of a lease
	 */
	ReleaseOperation(ObservedLeaseStore store, CallLimit limit, List<Lease> leases, Function<Lease, LeaseRecord> next) {
		super(store, limit, leases.size());
		this.leases = leases;
		this.next = next;
	}

	void run() {
		// if the call fails, the leases are over for their holder nevertheless
		this.leases.forEach(store().held()::giveUp);
		List<Integer> open = run(MOST_ROUNDS);
		if (!open.isEmpty()) {
			throw new LeaseStoreException(
					"The record of '%s' changed too often while it was given up".formatted(election(open.get(0))));
		}
	}

	@Override
	String election(int index) {
		return this.leases.get(index).election();
	}

	@Override
	void begin(int index) {
		store().held().written(this.leases.get(index)).ifPresent((written) -> giveUp(index, written));
	}

	@Override
	void decide(int index, RecordSnapshot snapshot) {
		Lease lease = this.leases.get(index);
		if (snapshot instanceof Present present && present.record().isHeldWith(lease)) {
			giveUp(index, present);
		}
		else {
			store().held().forget(lease);
			answered(index);
		}
	}

	private void giveUp(int index, Present present) {
		write(index, present, Optional.empty(), this.next.apply(this.leases.get(index)));
	}

	@Override
	void written(int index, Present written, long sentAt) {
		store().held().forget(this.leases.get(index));
	}

}
