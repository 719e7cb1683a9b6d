package io.leaderelection.etcd;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.leaderelection.etcd.OwnLeases.Key;
import io.leaderelection.etcd.OwnLeases.OwnLease;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Absent;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One request for leases: looks at all of them and takes those that are free. A lease is
 * taken by a write that fails if anything has changed since the look; then there is
 * another look.
 */
final class Acquiring {

	private static final Log logger = LogFactory.getLog(Acquiring.class);

	private static final int MOST_LOOKS = 10;

	private static final Duration SHORTLY = Duration.ofMillis(10);

	private final Etcd etcd;

	private final Session session;

	private final Keys keys;

	private final Sightings sightings;

	private final OwnLeases own;

	private final InstantSource clock;

	private final List<Candidacy> candidacies;

	private final @Nullable AcquireResult[] results;

	private boolean sessionInDoubt;

	Acquiring(Etcd etcd, Session session, Keys keys, Sightings sightings, OwnLeases own, InstantSource clock,
			List<Candidacy> candidacies) {
		this.etcd = etcd;
		this.session = session;
		this.keys = keys;
		this.sightings = sightings;
		this.own = own;
		this.clock = clock;
		this.candidacies = candidacies;
		this.results = new AcquireResult[candidacies.size()];
	}

	/**
	 * Answers all candidacies.
	 * @param looks reads elections
	 * @param watching what a watch has shown already
	 * @param sessions asked whether the session lasts if something was not written
	 */
	List<AcquireResult> answers(Looks looks, Watching watching, Sessions sessions) {
		List<Attempt> ahead = new ArrayList<>();
		for (int i : open()) {
			watching.shown(this.candidacies.get(i).election()).ifPresent((look) -> ahead.add(new Attempt(i, look)));
		}
		attempt(ahead);
		for (int round = 0; round < MOST_LOOKS && !open().isEmpty(); round++) {
			if (this.sessionInDoubt && !sessions.lasts(this.etcd, this.session)) {
				throw new Etcd.SessionGoneException("its key is gone", null);
			}
			this.sessionInDoubt = false;
			List<Integer> open = open();
			List<Look> seen = looks.at(this.etcd,
					open.stream().map((i) -> this.candidacies.get(i).election()).toList());
			attempt(IntStream.range(0, open.size()).mapToObj((k) -> new Attempt(open.get(k), seen.get(k))).toList());
		}
		for (int i : open()) {
			Candidacy candidacy = this.candidacies.get(i);
			this.results[i] = new Held(Optional.empty(), candidacy.tokenFloor(), SHORTLY, candidacy.duration());
		}
		this.own.stand(this.etcd, this.session,
				IntStream.range(0, this.results.length)
					.filter((i) -> this.results[i] instanceof Held)
					.mapToObj(this.candidacies::get)
					.toList());
		return List.of(this.results);
	}

	private List<Integer> open() {
		return IntStream.range(0, this.results.length).filter((i) -> this.results[i] == null).boxed().toList();
	}

	/** Tries to take the first lease on the strength of a look. */
	void attempt(Look look) {
		attempt(List.of(new Attempt(0, look)));
	}

	/** The steps are apart so that the requests of many are under way together. */
	private static void attempt(List<Attempt> attempts) {
		attempts.forEach(Attempt::decide);
		attempts.forEach(Attempt::conclude);
	}

	/**
	 * One candidate's attempt on the strength of one look.
	 */
	private final class Attempt {

		private final int index;

		private final Candidacy candidacy;

		private final Look look;

		private @Nullable OwnLease wanted;

		private @Nullable CompletableFuture<Boolean> written;

		Attempt(int index, Look look) {
			this.index = index;
			this.candidacy = Acquiring.this.candidacies.get(index);
			this.look = look;
		}

		void decide() {
			LeaseRecord record = this.look.record();
			if (this.look.isAbsent() && !this.candidacy.createIfAbsent()) {
				Acquiring.this.results[this.index] = new Absent();
			}
			else if (this.look.isUnreadable()) {
				refuse(null, this.candidacy.tokenFloor(), this.candidacy.duration(), this.candidacy.duration());
			}
			else if (record == null || record.isForAnybody()) {
				take(List.of());
			}
			else if (record.holder() == null) {
				decideReserved(record);
			}
			else if (record.holder().equals(this.candidacy.owner())) {
				decideOwn(record);
			}
			else {
				decideHeld(record, record.holder().nodeId(), Objects.requireNonNull(record.session()));
			}
		}

		private void decideReserved(LeaseRecord record) {
			Duration remaining = remaining(record);
			if (this.candidacy.owner().nodeId().equals(record.reservedFor()) || isOver(remaining)) {
				take(List.of());
			}
			else {
				refuse(null, record.token(), remaining, record.duration());
			}
		}

		private void decideOwn(LeaseRecord record) {
			if (record.token() > this.candidacy.tokenFloor()) {
				// the first answer was lost: the same again, and proven anew
				write(record.token(), List.of());
				return;
			}
			Duration remaining = remaining(record);
			Lease former = new Lease(this.candidacy.election(), this.candidacy.owner(), record.token(),
					record.duration());
			if (isOver(remaining) || Acquiring.this.own.isGivenUp(former)) {
				take(List.of());
			}
			else {
				refuse(this.candidacy.owner().nodeId(), record.token(), remaining, record.duration());
			}
		}

		private void decideHeld(LeaseRecord record, String holder, String session) {
			Duration sinceProof = Acquiring.this.sightings.proofUnchanged(session, this.look.proof());
			Duration ofProof = record.duration().minus(sinceProof);
			Duration ofRecord = remaining(record);
			Duration remaining = (ofProof.compareTo(ofRecord) > 0) ? ofProof : ofRecord;
			if (isOver(remaining)) {
				take(this.look.proof().unchanged(Acquiring.this.keys.proof(session)));
			}
			else {
				refuse(holder, record.token(), remaining, record.duration());
			}
		}

		private Duration remaining(LeaseRecord record) {
			return record.duration()
				.minus(Acquiring.this.sightings.recordUnchanged(this.candidacy.election(), this.look.seen()));
		}

		private static boolean isOver(Duration remaining) {
			return remaining.compareTo(Duration.ZERO) <= 0;
		}

		private void refuse(@Nullable String holder, long token, Duration remaining, Duration duration) {
			Acquiring.this.results[this.index] = new Held(Optional.ofNullable(holder), token, remaining, duration);
		}

		private void take(List<Cmp> conditions) {
			LeaseRecord record = this.look.record();
			long before = Math.max((record != null) ? record.token() : 0, this.candidacy.tokenFloor());
			if (before >= Long.MAX_VALUE - 1) {
				logger.warn("There is no token higher than that of '%s', so that nobody can be elected"
					.formatted(this.candidacy.election()));
				refuse(null, this.candidacy.tokenFloor(), this.candidacy.duration(), this.candidacy.duration());
				return;
			}
			long now = ChronoUnit.MICROS.between(Instant.EPOCH, Acquiring.this.clock.instant());
			write(Math.max(before + 1, now), conditions);
		}

		private void write(long token, List<Cmp> more) {
			Session session = Acquiring.this.session;
			Lease lease = new Lease(this.candidacy.election(), this.candidacy.owner(), token,
					this.candidacy.duration());
			this.wanted = OwnLease.of(lease, session, System.nanoTime());
			Acquiring.this.own.asks(this.wanted);
			List<Cmp> conditions = new ArrayList<>(more);
			conditions.addAll(this.look.seen().unchanged(Acquiring.this.keys.record(this.candidacy.election())));
			conditions.add(session.lasts());
			List<Op> writes = List.of(Acquiring.this.own.put(this.candidacy.election(), this.wanted.record()),
					Acquiring.this.own.withdrawal(Key.of(this.candidacy)));
			this.written = Acquiring.this.etcd.commit(conditions, writes);
		}

		void conclude() {
			if (this.written == null || this.wanted == null) {
				return;
			}
			if (Acquiring.this.etcd.await(this.written)) {
				Acquiring.this.own.holds(this.wanted);
				Acquiring.this.own.standsNoLonger(Key.of(this.candidacy));
				Acquiring.this.results[this.index] = new Granted(this.wanted.lease().token(),
						this.candidacy.duration());
			}
			else {
				Acquiring.this.own.isRefused(this.wanted);
				Acquiring.this.sessionInDoubt = true;
			}
		}

	}

}
