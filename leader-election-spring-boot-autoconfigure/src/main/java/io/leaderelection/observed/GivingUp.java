package io.leaderelection.observed;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;

/**
 * One request to give leases up, on the condition that they are held as they should be.
 */
final class GivingUp {

	private static final int MOST_LOOKS = 5;

	private final ObservedLeaseStore store;

	private final Limit limit;

	private final List<Lease> leases;

	private final Function<Lease, LeaseRecord> next;

	private final Set<Integer> done = new HashSet<>();

	/**
	 * Prepares to give leases up.
	 * @param store the store
	 * @param limit how long it may take
	 * @param leases the leases
	 * @param next what the record of a lease becomes
	 */
	GivingUp(ObservedLeaseStore store, Limit limit, List<Lease> leases, Function<Lease, LeaseRecord> next) {
		this.store = store;
		this.limit = limit;
		this.leases = leases;
		this.next = next;
	}

	void run() {
		// should the call fail, the leases are over for their holder all the same
		this.leases.forEach(this.store.own()::giveUp);
		Writing writing = this.store.writing();
		for (int i : open()) {
			this.store.own().written(this.leases.get(i)).ifPresent((seen) -> writing.add(i, change(i, seen)));
		}
		writing.send(this.limit, this::written);
		for (int round = 0; round < MOST_LOOKS && !open().isEmpty(); round++) {
			lookAndGiveUp();
		}
		if (!open().isEmpty()) {
			throw new LeaseStoreException("The record of '%s' changed too often while it was given up"
				.formatted(this.leases.get(open().get(0)).election()));
		}
	}

	private void lookAndGiveUp() {
		List<Integer> open = open();
		List<Look> looks = this.store.looks()
			.at(open.stream().map((i) -> this.leases.get(i).election()).toList(), this.limit);
		Writing writing = this.store.writing();
		for (int k = 0; k < open.size(); k++) {
			int index = open.get(k);
			if (looks.get(k).seen() instanceof Present present && present.record().isHeldWith(this.leases.get(index))) {
				writing.add(index, change(index, present));
			}
			else {
				this.done.add(index);
			}
		}
		writing.send(this.limit, this::written);
	}

	private ConditionalWrite change(int index, Sight seen) {
		Lease lease = this.leases.get(index);
		return new ConditionalWrite(lease.election(), seen, this.next.apply(lease));
	}

	private void written(int index, Object version, long sentAt) {
		this.done.add(index);
	}

	private List<Integer> open() {
		return IntStream.range(0, this.leases.size()).filter((i) -> !this.done.contains(i)).boxed().toList();
	}

}
