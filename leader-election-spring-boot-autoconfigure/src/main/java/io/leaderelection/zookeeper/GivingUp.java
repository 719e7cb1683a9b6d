package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.leaderelection.store.Lease;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import io.leaderelection.zookeeper.OwnLeases.OwnLease;
import org.apache.zookeeper.Op;

/**
 * One request to give leases up. The record is changed and the holder's node deleted by
 * one write, which wakes those who wait.
 */
final class GivingUp {

	private static final int MOST_LOOKS = 5;

	private final Session session;

	private final Looks looks;

	private final OwnLeases own;

	private final Function<Lease, LeaseRecord> next;

	/**
	 * Prepares to give leases up.
	 * @param session the session
	 * @param looks reads elections
	 * @param own what this store holds
	 * @param next what the record of a lease becomes
	 */
	GivingUp(Session session, Looks looks, OwnLeases own, Function<Lease, LeaseRecord> next) {
		this.session = session;
		this.looks = looks;
		this.own = own;
		this.next = next;
	}

	void giveUp(List<Lease> leases) {
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (Lease lease : leases) {
			Optional<OwnLease> known = this.own.find(lease).filter((held) -> held.session() == this.session.id());
			answers.add(known.map((held) -> this.session.commit(held.becoming(this.next.apply(lease))))
				.orElseGet(() -> CompletableFuture.completedFuture(false)));
		}
		List<Lease> open = conclude(leases, answers);
		for (int look = 0; look < MOST_LOOKS && !open.isEmpty(); look++) {
			open = lookAndGiveUp(open);
		}
		if (!open.isEmpty()) {
			throw new ZooKeeperLeaseStoreException(
					"The record of '%s' changed too often while it was given up".formatted(open.get(0).election()));
		}
	}

	private List<Lease> lookAndGiveUp(List<Lease> leases) {
		List<Look> seen = this.looks.at(this.session, leases.stream().map(Lease::election).toList());
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (int i = 0; i < leases.size(); i++) {
			Lease lease = leases.get(i);
			Look look = seen.get(i);
			if (look.record() instanceof Held held && held.isWith(lease)) {
				List<Op> writes = new ArrayList<>();
				writes.add(Op.setData(look.path(), this.next.apply(lease).toBytes(), look.version()));
				look.candidates()
					.stream()
					.filter((candidate) -> candidate.isOf(lease.owner(), held.session()))
					.forEach((candidate) -> writes.add(Op.delete(look.pathOf(candidate), -1)));
				answers.add(this.session.commit(writes));
			}
			else {
				answers.add(CompletableFuture.completedFuture(true));
			}
		}
		return conclude(leases, answers);
	}

	private List<Lease> conclude(List<Lease> leases, List<CompletableFuture<Boolean>> answers) {
		List<Lease> open = new ArrayList<>();
		for (int i = 0; i < leases.size(); i++) {
			if (this.session.await(answers.get(i))) {
				this.own.forget(leases.get(i));
			}
			else {
				open.add(leases.get(i));
			}
		}
		return open;
	}

}
