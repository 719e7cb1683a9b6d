package io.leaderelection.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Absent;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.zookeeper.OwnLeases.OwnLease;
import io.leaderelection.zookeeper.OwnLeases.Standing;
import io.leaderelection.zookeeper.Session.Created;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * One request for leases: looks at all of them, stands for each, and takes those that are
 * free. A lease is taken by a write that fails if anything has changed since the look;
 * then there is another look.
 */
final class Acquiring {

	private static final Log logger = LogFactory.getLog(Acquiring.class);

	private static final int MOST_LOOKS = 10;

	private static final Duration SHORTLY = Duration.ofMillis(10);

	private final Session session;

	private final Looks looks;

	private final Sightings sightings;

	private final OwnLeases own;

	private final Candidates candidates;

	private final List<Candidacy> candidacies;

	private final @Nullable AcquireResult[] results;

	Acquiring(Session session, Looks looks, Sightings sightings, OwnLeases own, List<Candidacy> candidacies) {
		this.session = session;
		this.looks = looks;
		this.sightings = sightings;
		this.own = own;
		this.candidates = new Candidates(session, own);
		this.candidacies = candidacies;
		this.results = new AcquireResult[candidacies.size()];
	}

	List<AcquireResult> answers() {
		tryWhatWasReadAhead();
		for (int look = 0; look < MOST_LOOKS && !open().isEmpty(); look++) {
			tryAll(open());
		}
		for (int i : open()) {
			Candidacy candidacy = this.candidacies.get(i);
			this.results[i] = new Held(Optional.empty(), candidacy.tokenFloor(), SHORTLY, candidacy.duration());
		}
		return List.of(this.results);
	}

	private void tryWhatWasReadAhead() {
		List<Attempt> attempts = new ArrayList<>();
		for (int i : open()) {
			Candidacy candidacy = this.candidacies.get(i);
			this.looks.ahead(this.session, candidacy.election())
				.ifPresent((look) -> attempts.add(new Attempt(i, candidacy, look)));
		}
		attemptAll(attempts);
	}

	private List<Integer> open() {
		return IntStream.range(0, this.results.length).filter((i) -> this.results[i] == null).boxed().toList();
	}

	private void tryAll(List<Integer> open) {
		List<Look> seen = this.looks.at(this.session,
				open.stream().map((i) -> this.candidacies.get(i).election()).toList());
		List<Attempt> attempts = new ArrayList<>();
		for (int k = 0; k < open.size(); k++) {
			Candidacy candidacy = this.candidacies.get(open.get(k));
			if (seen.get(k).isAbsent() && !candidacy.createIfAbsent()) {
				this.results[open.get(k)] = new Absent();
			}
			else {
				attempts.add(new Attempt(open.get(k), candidacy, seen.get(k)));
			}
		}
		attemptAll(attempts);
	}

	/** Tries to take the first lease on the strength of a look. */
	void attempt(Look look) {
		attemptAll(List.of(new Attempt(0, this.candidacies.get(0), look)));
	}

	private static void attemptAll(List<Attempt> attempts) {
		attempts.forEach(Attempt::stand);
		attempts.forEach(Attempt::decide);
		attempts.forEach(Attempt::conclude);
	}

	/**
	 * One candidate's attempt on the strength of one look. The steps are apart so that
	 * the requests of many candidates are under way together.
	 */
	private final class Attempt {

		private final int index;

		private final Candidacy candidacy;

		private final Look look;

		private @Nullable CompletableFuture<Created> standing;

		private LeaseRecord.@Nullable Held taken;

		private @Nullable CompletableFuture<Boolean> committed;

		Attempt(int index, Candidacy candidacy, Look look) {
			this.index = index;
			this.candidacy = candidacy;
			this.look = look;
		}

		void stand() {
			this.standing = Acquiring.this.candidates.stand(this.candidacy.election(), this.candidacy.owner(),
					this.look);
		}

		private Created standing() {
			return Acquiring.this.session.await(Objects.requireNonNull(this.standing));
		}

		void decide() {
			Created place = standing();
			Acquiring.this.own.stands(this.candidacy.election(), this.candidacy.owner(), new Standing(place.path(),
					Acquiring.this.session.id(), place.czxid(), System.nanoTime(), this.candidacy.duration()));
			LeaseRecord record = this.look.record();
			if (this.look.unreadable()) {
				refuse(new Held(Optional.empty(), this.candidacy.tokenFloor(), this.candidacy.duration(),
						this.candidacy.duration()));
			}
			else if (record == null || record instanceof LeaseRecord.Free) {
				take(List.of());
			}
			else if (record instanceof LeaseRecord.Reserved reserved) {
				decide(reserved);
			}
			else if (record instanceof LeaseRecord.Held held) {
				decide(held);
			}
		}

		private void decide(LeaseRecord.Reserved reserved) {
			Duration remaining = reserved.duration().minus(Acquiring.this.sightings.recordUnchanged(this.look.path()));
			if (reserved.nodeId().equals(this.candidacy.owner().nodeId()) || isOver(remaining)) {
				take(List.of());
			}
			else {
				refuse(new Held(Optional.empty(), reserved.token(), remaining, reserved.duration()));
			}
		}

		private void decide(LeaseRecord.Held held) {
			Lease lease = new Lease(this.candidacy.election(), held.owner(), held.token(), held.duration());
			boolean ownOne = held.owner().equals(this.candidacy.owner());
			if (ownOne && held.token() > this.candidacy.tokenFloor()) {
				keep(held);
				return;
			}
			Duration unchanged = ownOne ? Acquiring.this.sightings.recordUnchanged(this.look.path())
					: Acquiring.this.sightings.leaseUnchanged(this.look.path(), held.session());
			Duration remaining = held.duration().minus(unchanged);
			if (ownOne && Acquiring.this.own.isGivenUp(lease, this.look.version())) {
				take(List.of());
			}
			else if (isOver(remaining)) {
				take(ownOne ? List.of() : Acquiring.this.session.unproven(held.session(), this.look.proof()));
			}
			else {
				refuse(new Held(Optional.of(held.owner().nodeId()), held.token(), remaining, held.duration()));
			}
		}

		private boolean isOver(Duration remaining) {
			return remaining.isNegative() || remaining.isZero();
		}

		/** The first answer was lost: the same again, and proven anew. */
		private void keep(LeaseRecord.Held held) {
			Session session = Acquiring.this.session;
			if (held.session() == session.id() && held.duration().equals(this.candidacy.duration())) {
				commit(held, List.of(Op.check(this.look.path(), this.look.version()), session.proofOfLife()));
			}
			else {
				write(new LeaseRecord.Held(held.owner(), session.id(), held.token(), this.candidacy.duration()),
						List.of());
			}
		}

		private void take(List<Op> conditions) {
			LeaseRecord record = this.look.record();
			long before = Math.max((record != null) ? record.token() : 0, this.candidacy.tokenFloor());
			if (before >= Long.MAX_VALUE - 1) {
				logger.warn("There is no token higher than that of '%s', so that nobody can be elected"
					.formatted(this.look.path()));
				refuse(new Held(Optional.empty(), this.candidacy.tokenFloor(), this.candidacy.duration(),
						this.candidacy.duration()));
				return;
			}
			// comparable with the tokens of other stores, whose fences outlive a change
			long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
			long token = Math.max(before + 1, now);
			write(new LeaseRecord.Held(this.candidacy.owner(), Acquiring.this.session.id(), token,
					this.candidacy.duration()), conditions);
		}

		private void write(LeaseRecord.Held next, List<Op> conditions) {
			List<Op> writes = new ArrayList<>(conditions);
			writes.add(Op.setData(this.look.path(), next.toBytes(), this.look.version()));
			commit(next, writes);
		}

		/**
		 * Commits, unless the candidate came after the look: then there is another look.
		 */
		private void commit(LeaseRecord.Held next, List<Op> writes) {
			String own = standing().path();
			if (this.look.hasSeen(own)) {
				List<Op> all = new ArrayList<>(writes);
				all.add(Op.check(own, -1));
				this.taken = next;
				this.committed = Acquiring.this.session.commit(all);
			}
		}

		private void refuse(Held held) {
			Acquiring.this.results[this.index] = held;
			Acquiring.this.session.watches().follow(this.candidacy.election(), this.look, standing().path());
		}

		void conclude() {
			if (this.committed == null || this.taken == null) {
				return;
			}
			if (!Acquiring.this.session.await(this.committed)) {
				// what has changed may be that everything is gone
				Acquiring.this.own.assureProof(Acquiring.this.session);
				return;
			}
			boolean written = !this.taken.equals(this.look.record());
			int version = written ? this.look.version() + 1 : this.look.version();
			Lease lease = new Lease(this.candidacy.election(), this.candidacy.owner(), this.taken.token(),
					this.candidacy.duration());
			Acquiring.this.own.proven(
					OwnLease.held(lease, Acquiring.this.session.id(), this.look.path(), version, standing().path()));
			Acquiring.this.session.watches().unfollow(this.candidacy.election());
			Acquiring.this.results[this.index] = new Granted(lease.token(), lease.duration());
		}

	}

}
