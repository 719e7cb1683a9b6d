package io.leaderelection.etcd;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.etcd.jetcd.op.Cmp;
import io.leaderelection.etcd.OwnLeases.OwnLease;
import io.leaderelection.store.Lease;

/**
 * One request to give leases up. The write that changes the record is what those who wait
 * are woken by.
 */
final class GivingUp {

	private static final int MOST_LOOKS = 5;

	private final Etcd etcd;

	private final Keys keys;

	private final OwnLeases own;

	private final Function<Lease, LeaseRecord> next;

	/**
	 * Prepares to give leases up.
	 * @param etcd the way to etcd
	 * @param keys where records are
	 * @param own what this store holds
	 * @param next what the record of a lease becomes
	 */
	GivingUp(Etcd etcd, Keys keys, OwnLeases own, Function<Lease, LeaseRecord> next) {
		this.etcd = etcd;
		this.keys = keys;
		this.own = own;
		this.next = next;
	}

	void giveUp(Looks looks, List<Lease> leases) {
		// should the call fail, the leases are over for their holder all the same
		leases.forEach(this.own::giveUp);
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (Lease lease : leases) {
			Optional<OwnLease> known = this.own.find(lease);
			answers.add(
					known.isPresent()
							? write(lease,
									List.of(Seen.has(this.keys.record(lease.election()),
											known.get().record().toBytes())))
							: CompletableFuture.completedFuture(false));
		}
		List<Lease> open = conclude(leases, answers);
		for (int look = 0; look < MOST_LOOKS && !open.isEmpty(); look++) {
			open = lookAndGiveUp(looks, open);
		}
		if (!open.isEmpty()) {
			throw new EtcdLeaseStoreException(
					"The record of '%s' changed too often while it was given up".formatted(open.get(0).election()));
		}
	}

	private List<Lease> lookAndGiveUp(Looks looks, List<Lease> leases) {
		List<Look> seen = looks.at(this.etcd, leases.stream().map(Lease::election).toList());
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (int i = 0; i < leases.size(); i++) {
			Look look = seen.get(i);
			boolean held = look.record() != null && look.record().isHeldWith(leases.get(i));
			answers.add(held ? write(leases.get(i), look.seen().unchanged(this.keys.record(look.election())))
					: CompletableFuture.completedFuture(true));
		}
		return conclude(leases, answers);
	}

	private CompletableFuture<Boolean> write(Lease lease, List<Cmp> conditions) {
		return this.etcd.commit(conditions, List.of(this.own.put(lease.election(), this.next.apply(lease))));
	}

	private List<Lease> conclude(List<Lease> leases, List<CompletableFuture<Boolean>> answers) {
		List<Lease> open = new ArrayList<>();
		for (int i = 0; i < leases.size(); i++) {
			if (this.etcd.await(answers.get(i))) {
				this.own.forget(leases.get(i));
			}
			else {
				open.add(leases.get(i));
			}
		}
		return open;
	}

}
