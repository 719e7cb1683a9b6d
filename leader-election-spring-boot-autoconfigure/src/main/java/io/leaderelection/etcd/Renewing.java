package io.leaderelection.etcd;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.etcd.jetcd.op.Cmp;
import io.leaderelection.etcd.OwnLeases.OwnLease;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of many leases. As a rule it is one request: all records are compared with
 * what they should be and a proof of life is written, all or nothing. Only when that
 * fails, the records are read, and each that is still this holder's is claimed by itself.
 */
final class Renewing {

	private static final int MOST_LOOKS = 5;

	private final Etcd etcd;

	private final Session session;

	private final Keys keys;

	private final OwnLeases own;

	private final List<Renewal> renewals;

	private final @Nullable RenewResult[] results;

	Renewing(Etcd etcd, Session session, Keys keys, OwnLeases own, List<Renewal> renewals) {
		this.etcd = etcd;
		this.session = session;
		this.keys = keys;
		this.own = own;
		this.renewals = renewals;
		this.results = new RenewResult[renewals.size()];
	}

	/**
	 * Answers all renewals.
	 * @param looks reads elections
	 * @param sessions asked whether the session lasts if something was not written
	 */
	List<RenewResult> answers(Looks looks, Sessions sessions) {
		for (int i : open()) {
			if (this.own.isOver(lease(i))) {
				this.own.giveUp(lease(i));
				this.results[i] = new Lost();
			}
		}
		prove(open().stream().filter((i) -> known(i).isPresent()).toList());
		for (int round = 0; round < MOST_LOOKS && !open().isEmpty(); round++) {
			if (!sessions.lasts(this.etcd, this.session)) {
				throw new Etcd.SessionGoneException("its key is gone", null);
			}
			lookAndProve(looks);
		}
		if (!open().isEmpty()) {
			throw new EtcdLeaseStoreException("The record of '%s' changed too often while it was renewed"
				.formatted(lease(open().get(0)).election()));
		}
		return List.of(this.results);
	}

	private List<Integer> open() {
		return IntStream.range(0, this.results.length).filter((i) -> this.results[i] == null).boxed().toList();
	}

	private Lease lease(int index) {
		return this.renewals.get(index).lease();
	}

	private Optional<OwnLease> known(int index) {
		return this.own.find(lease(index)).filter((lease) -> lease.isIn(this.session) && !lease.givenUp());
	}

	/** Renews all of these together, or none. */
	private void prove(List<Integer> indexes) {
		Map<List<Integer>, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
		long sentAt = System.nanoTime();
		// one more condition is that the session lasts
		int most = Etcd.OPERATIONS_PER_REQUEST;
		for (int i = 0; i < indexes.size(); i += most) {
			List<Integer> part = indexes.subList(i, Math.min(i + most, indexes.size()));
			List<Cmp> conditions = new ArrayList<>();
			part.forEach((index) -> conditions
				.add(Seen.has(this.keys.record(lease(index).election()), heldHere(index).toBytes())));
			conditions.add(this.session.lasts());
			answers.put(part, this.etcd.commit(conditions, List.of(this.session.proofOfLife())));
		}
		answers.forEach((part, answer) -> {
			if (this.etcd.await(answer)) {
				part.forEach((index) -> renewed(index, sentAt));
			}
		});
	}

	private LeaseRecord heldHere(int index) {
		return LeaseRecord.held(lease(index), this.session.id());
	}

	private void renewed(int index, long sentAt) {
		this.own.holds(OwnLease.of(lease(index), this.session, sentAt));
		this.results[index] = new Renewed(lease(index).duration());
	}

	private void lookAndProve(Looks looks) {
		List<Integer> open = open();
		List<Look> seen = looks.at(this.etcd, open.stream().map((i) -> lease(i).election()).toList());
		List<Integer> unchanged = new ArrayList<>();
		Map<Integer, CompletableFuture<Boolean>> claims = new LinkedHashMap<>();
		long sentAt = System.nanoTime();
		for (int k = 0; k < open.size(); k++) {
			int index = open.get(k);
			Look look = seen.get(k);
			if (heldHere(index).equals(look.record())) {
				unchanged.add(index);
				continue;
			}
			Optional<RenewResult> verdict = verdict(this.renewals.get(index), look);
			if (verdict.isPresent()) {
				this.results[index] = verdict.get();
				this.own.forget(lease(index));
			}
			else {
				claims.put(index, claim(index, look));
			}
		}
		claims.forEach((index, answer) -> {
			if (this.etcd.await(answer)) {
				renewed(index, sentAt);
			}
		});
		prove(unchanged);
	}

	/** Says what the record says; nothing if the lease may be claimed. */
	private static Optional<RenewResult> verdict(Renewal renewal, Look look) {
		LeaseRecord record = look.record();
		if (record == null || record.token() < renewal.lease().token()) {
			// what cannot be read is no record either
			return renewal.createIfAbsent() ? Optional.empty() : Optional.of(new Absent());
		}
		return record.isHeldWith(renewal.lease()) ? Optional.empty() : Optional.of(new Lost());
	}

	/**
	 * The claim to a lease whose record does not say all that it should: it names an
	 * earlier session of this holder, or it was lost.
	 */
	private CompletableFuture<Boolean> claim(int index, Look look) {
		List<Cmp> conditions = new ArrayList<>(look.seen().unchanged(this.keys.record(look.election())));
		conditions.add(this.session.lasts());
		return this.etcd.commit(conditions, List.of(this.own.put(look.election(), heldHere(index))));
	}

}
