package io.leaderelection.zookeeper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.Renewal;
import io.leaderelection.zookeeper.LeaseRecord.Held;
import io.leaderelection.zookeeper.OwnLeases.OwnLease;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of many leases. As a rule it is one request: the versions of all records
 * are checked and a proof of life is written, all or nothing. Only when that fails, the
 * records are read, and each that is still this holder's is claimed by itself.
 */
final class Renewing {

	private static final int MOST_LOOKS = 5;

	/** Well below the megabyte at which a server closes the connection. */
	private static final int PATH_CHARACTERS_PER_REQUEST = 200_000;

	private final Session session;

	private final Looks looks;

	private final OwnLeases own;

	private final Candidates candidates;

	private final List<Renewal> renewals;

	private final @Nullable RenewResult[] results;

	Renewing(Session session, Looks looks, OwnLeases own, List<Renewal> renewals) {
		this.session = session;
		this.looks = looks;
		this.own = own;
		this.candidates = new Candidates(session, own);
		this.renewals = renewals;
		this.results = new RenewResult[renewals.size()];
	}

	List<RenewResult> answers() {
		Map<Integer, OwnLease> known = new LinkedHashMap<>();
		for (int i : open()) {
			if (this.own.hasEnded(lease(i))) {
				this.own.giveUp(lease(i));
				this.results[i] = new Lost();
			}
			else {
				known(i).ifPresent((lease) -> known.put(i, lease));
			}
		}
		prove(known);
		for (int look = 0; look < MOST_LOOKS && !open().isEmpty(); look++) {
			this.own.assureProof(this.session);
			lookAndProve(open());
		}
		if (!open().isEmpty()) {
			throw new ZooKeeperLeaseStoreException("The record of '%s' changed too often while it was renewed"
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
		return this.own.find(lease(index)).filter((lease) -> lease.session() == this.session.id() && !lease.givenUp());
	}

	/** Renews all of these together, or none. */
	private void prove(Map<Integer, OwnLease> known) {
		List<Map<Integer, OwnLease>> batches = new ArrayList<>();
		int characters = PATH_CHARACTERS_PER_REQUEST;
		for (Map.Entry<Integer, OwnLease> entry : known.entrySet()) {
			if (characters >= PATH_CHARACTERS_PER_REQUEST) {
				batches.add(new LinkedHashMap<>());
				characters = 0;
			}
			batches.get(batches.size() - 1).put(entry.getKey(), entry.getValue());
			characters += entry.getValue().candidate().length();
		}
		List<CompletableFuture<Boolean>> answers = batches.stream().map(this::commit).toList();
		for (int k = 0; k < batches.size(); k++) {
			if (this.session.await(answers.get(k))) {
				batches.get(k).forEach((i, lease) -> renewed(i, lease.provenNow()));
			}
		}
	}

	private CompletableFuture<Boolean> commit(Map<Integer, OwnLease> batch) {
		List<Op> writes = new ArrayList<>();
		batch.values().forEach((lease) -> writes.addAll(lease.checks()));
		writes.add(this.session.proofOfLife());
		return this.session.commit(writes);
	}

	private void renewed(int index, OwnLease lease) {
		this.own.proven(lease);
		this.results[index] = new Renewed(lease(index).duration());
	}

	private void lookAndProve(List<Integer> open) {
		List<Look> seen = this.looks.at(this.session, open.stream().map((i) -> lease(i).election()).toList());
		Map<Integer, OwnLease> unchanged = new LinkedHashMap<>();
		List<Claim> claims = new ArrayList<>();
		for (int k = 0; k < open.size(); k++) {
			int i = open.get(k);
			Look look = seen.get(k);
			Optional<OwnLease> same = known(i).filter((lease) -> isUnchanged(lease, look));
			if (same.isPresent()) {
				unchanged.put(i, same.get());
			}
			else {
				Optional<RenewResult> verdict = verdict(this.renewals.get(i), look);
				this.results[i] = verdict.orElse(null);
				if (verdict.isEmpty()) {
					claims.add(new Claim(i, look));
				}
				else {
					this.own.forget(lease(i));
				}
			}
		}
		claims.forEach(Claim::stand);
		claims.forEach(Claim::write);
		claims.forEach(Claim::conclude);
		prove(unchanged);
	}

	private static boolean isUnchanged(OwnLease lease, Look look) {
		return look.stat() != null && look.version() == lease.version() && look.record() instanceof Held held
				&& held.isWith(lease.lease()) && look.hasSeen(lease.candidate());
	}

	/** Says what the record says; nothing if the lease may be claimed. */
	private Optional<RenewResult> verdict(Renewal renewal, Look look) {
		LeaseRecord record = look.record();
		if (record == null || record.token() < renewal.lease().token()) {
			// what cannot be read is no record either
			return renewal.createIfAbsent() ? Optional.empty() : Optional.of(new Absent());
		}
		boolean held = record instanceof Held present && present.isWith(renewal.lease());
		return held ? Optional.empty() : Optional.of(new Lost());
	}

	/**
	 * The claim to a lease whose record does not say all that it should: it names another
	 * session of this holder, or it was lost, or the holder's node was.
	 */
	private final class Claim {

		private final int index;

		private final Look look;

		private @Nullable CompletableFuture<Session.Created> standing;

		private @Nullable CompletableFuture<Boolean> committed;

		Claim(int index, Look look) {
			this.index = index;
			this.look = look;
		}

		void stand() {
			this.standing = Renewing.this.candidates.stand(lease(this.index).election(), lease(this.index).owner(),
					this.look);
		}

		private String candidate() {
			return Renewing.this.session.await(Objects.requireNonNull(this.standing)).path();
		}

		/**
		 * Writes, unless the candidate came after the look: then there is another look.
		 */
		void write() {
			String own = candidate();
			if (this.look.hasSeen(own)) {
				Lease lease = lease(this.index);
				Held claimed = new Held(lease.owner(), Renewing.this.session.id(), lease.token(), lease.duration());
				this.committed = Renewing.this.session.commit(List.of(Op.check(own, -1),
						Op.setData(this.look.path(), claimed.toBytes(), this.look.version())));
			}
		}

		void conclude() {
			if (this.committed != null && Renewing.this.session.await(this.committed)) {
				renewed(this.index, OwnLease.held(lease(this.index), Renewing.this.session.id(), this.look.path(),
						this.look.version() + 1, candidate()));
			}
		}

	}

}
