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

	private final Candidates candidates;

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
		this.candidates = new Candidates(session, own);
		this.next = next;
	}

	void giveUp(List<Lease> leases) {
		List<CompletableFuture<Boolean>> answers = new ArrayList<>();
		for (Lease lease : leases) {
			Optional<OwnLease> known = this.own.find(lease).filter((held) -> held.session() == this.session.id());
			answers.add(known.map((held) -> commit(lease, held.becoming(this.next.apply(lease))))
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
			boolean held = seen.get(i).record() instanceof Held present && present.isWith(leases.get(i));
			answers.add(held ? giveUp(leases.get(i), seen.get(i)) : CompletableFuture.completedFuture(true));
		}
		return conclude(leases, answers);
	}

	private CompletableFuture<Boolean> giveUp(Lease lease, Look look) {
		List<Op> writes = new ArrayList<>();
		writes.add(Op.setData(look.path(), this.next.apply(lease).toBytes(), look.version()));
		for (Candidate candidate : look.candidates()) {
			if (candidate.isOf(lease.owner())) {
				writes.add(Op.delete(look.pathOf(candidate), -1));
			}
		}
		if (writes.size() == 1) {
			// somebody has deleted the holder's node; without it nothing is written
			return this.candidates.stand(lease.election(), lease.owner(), look).thenApply((standing) -> false);
		}
		return commit(lease, writes);
	}

	/** The holder stands in line no longer, and has nothing to withdraw. */
	private CompletableFuture<Boolean> commit(Lease lease, List<Op> writes) {
		return this.session.commit(writes).thenApply((committed) -> {
			if (committed) {
				this.own.deleted(lease, writes.stream().map(Op::getPath).toList());
			}
			return committed;
		});
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
