package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionState;
import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.LeadershipEvent;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LossReason;
import io.leaderelection.NotLeaderException;
import io.leaderelection.Transition;
import io.leaderelection.Unfitness;
import io.leaderelection.UnknownCandidateException;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreCalls.PendingRelease;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.Renewal;
import org.jspecify.annotations.Nullable;

/**
 * One node's state machine for one election. All state but the present term is guarded by
 * the engine's lock; {@link #isLeader()} and {@link #admits} take none.
 */
final class Election {

	static final long NEVER = Long.MAX_VALUE;

	/**
	 * The highest token to go beyond when a fence reports it. One more exhausts nothing:
	 * half of all tokens remain for later leaderships.
	 */
	private static final long HIGHEST_FLOOR = 1L << 62;

	/** Before any moment of any clock. */
	static final long LONG_AGO = Long.MIN_VALUE;

	private final ElectionEngine engine;

	private final String name;

	private final ElectionSettings settings;

	private final DefaultLeaderElector elector;

	private final Listeners listeners;

	private final Observed observed;

	private final Seeking seeking;

	private final long validity;

	/** The term that admits work, if any. */
	private volatile @Nullable Term term;

	/** The term whose lease is this node's and has to be renewed: leading or draining. */
	private @Nullable Term held;

	private @Nullable Ending ending;

	/** The store has told the leader that its record is gone, so that it may write it. */
	private boolean recordVanished;

	/** What a fence that rejected the token of the lease held has reported. */
	private @Nullable FencingToken reportedByFence;

	/** The same, from the store's confirmation of the lease until a higher token. */
	private @Nullable FencingToken fenceAhead;

	private boolean standing;

	private boolean paused;

	private @Nullable Instant gainedAt;

	private long renewDue = NEVER;

	private final History history = new History();

	private List<String> candidates = List.of();

	Election(ElectionEngine engine, String name, ElectionSettings settings) {
		this.engine = engine;
		this.name = name;
		this.settings = settings;
		this.elector = new DefaultLeaderElector(engine, this);
		this.listeners = new Listeners(engine.callbacks());
		this.observed = new Observed(settings);
		this.seeking = new Seeking(engine, this, this.observed);
		this.validity = settings.validity(settings.leaseDuration()).toNanos();
	}

	String name() {
		return this.name;
	}

	/** How this node seeks the lease while it does not hold it. */
	Seeking seeking() {
		return this.seeking;
	}

	DefaultLeaderElector elector() {
		return this.elector;
	}

	/** The term that admits work; it may have ended without having been told so. */
	@Nullable Term term() {
		return this.term;
	}

	boolean isLeader() {
		Term present = this.term;
		return present != null && present.isValid();
	}

	Optional<Leader> currentLeader() {
		Term present = this.term;
		if (present != null && present.isCurrent()) {
			return Optional.of(new Leader(this.engine.nodeId(), present.token()));
		}
		return this.observed.leader(this.engine.now());
	}

	void attempt(CompletableFuture<Boolean> leads) {
		if (wantsLease()) {
			this.seeking.seekAtOnce(leads);
		}
		else {
			complete(leads, isLeader());
		}
	}

	Listeners.Subscriber subscribe(LeadershipListener listener) {
		Term present = this.term;
		return this.listeners.add(listener, (present != null) ? gainedEvent(present) : null);
	}

	void unsubscribe(Listeners.Subscriber subscriber) {
		subscriber.close();
		this.listeners.remove(subscriber);
	}

	void stepDown(Duration holdOff, CompletableFuture<Boolean> released) {
		relinquish(LossReason.STEPPED_DOWN, null, holdOff.toNanos(), released);
	}

	void transfer(String target, CompletableFuture<Boolean> released) {
		if (!isLeader()) {
			fail(released, new NotLeaderException(this.name, currentLeader()));
		}
		else if (!this.candidates.contains(target)) {
			fail(released, new UnknownCandidateException(this.name, target, this.candidates));
		}
		else {
			relinquish(LossReason.TRANSFERRED, target, 0, released);
		}
	}

	void pause(CompletableFuture<Boolean> released) {
		this.paused = true;
		withdraw(LossReason.PAUSED, released);
	}

	void resume() {
		this.paused = false;
		this.seeking.resume();
	}

	void becomeUnfit(Unfitness reason, CompletableFuture<Boolean> released) {
		Optional<LossReason> loss = reason.loss();
		if (loss.isPresent()) {
			withdraw(loss.get(), released);
		}
		else {
			this.seeking.standAside();
			complete(released, false);
		}
	}

	ElectionStatus status() {
		Term present = this.term;
		Term inUse = (this.ending != null) ? this.ending.term() : present;
		return new ElectionStatus(this.name, this.engine.nodeId(), state(), currentLeader(),
				isLeader() ? Optional.ofNullable(this.gainedAt) : Optional.empty(), this.elector.fencingToken(),
				this.settings.leaseDuration(), (present != null) ? present.remainingValidity() : Duration.ZERO,
				(inUse != null) ? inUse.inFlight() : 0, this.history.lastRenewal(), this.history.lastRoundTrip(),
				this.engine.storeHealth().failuresInARow(), this.engine.storeHealth().unansweredFor(),
				this.seeking.blockade().error().or(() -> this.engine.storeHealth().lastError()),
				this.history.transitions(), this.candidates, this.engine.unfit(), Optional.ofNullable(this.fenceAhead),
				this.seeking.blockade().by(), holdOffUntil());
	}

	private Optional<Instant> holdOffUntil() {
		Duration left = this.seeking.holdOff(this.engine.now());
		return (state() == ElectionState.HOLDING_OFF) ? Optional.of(wallTime().plus(left)) : Optional.empty();
	}

	private ElectionState state() {
		if (this.ending != null) {
			return ElectionState.DRAINING;
		}
		if (!this.standing) {
			return ElectionState.STOPPED;
		}
		if (isLeader()) {
			return ElectionState.LEADER;
		}
		if (this.paused) {
			return ElectionState.PAUSED;
		}
		if (!this.engine.unfit().isEmpty()) {
			return ElectionState.UNFIT;
		}
		if (this.seeking.holdsOff(this.engine.now())) {
			return ElectionState.HOLDING_OFF;
		}
		return this.seeking.isAsking() ? ElectionState.ACQUIRING : ElectionState.FOLLOWER;
	}

	ElectionSettings settings() {
		return this.settings;
	}

	boolean admits(Term candidate) {
		return this.term == candidate;
	}

	void start() {
		this.standing = true;
		this.seeking.start();
	}

	void stop() {
		this.standing = false;
		withdraw(LossReason.STOPPED, new CompletableFuture<>());
	}

	boolean isQuiet() {
		return this.ending == null && !this.seeking.isAsking();
	}

	private void withdraw(LossReason reason, CompletableFuture<Boolean> released) {
		this.seeking.standAside();
		relinquish(reason, null, 0, released);
	}

	boolean wantsLease() {
		return stands() && this.held == null && this.ending == null;
	}

	private boolean stands() {
		return this.standing && !this.paused && this.engine.unfit().isEmpty();
	}

	void acquired(Candidacy candidacy, AcquireResult result, Moment sentAt, long now) {
		this.history.answered(Duration.ofNanos(now - sentAt.nanos()));
		this.seeking.answered(candidacy, result, sentAt, now);
	}

	void granted(Candidacy candidacy, AcquireResult.Granted granted, Moment sentAt, long now) {
		Validity granting = validity(sentAt, granted.validFor());
		if (this.held != null && this.held.token().value() == granted.token()) {
			if (!forfeitIfEnded()) {
				this.held.prolong(granting);
			}
		}
		else if (granted.token() > this.seeking.tokenFloor()) {
			// what was sent before the last start counts from a clock that may have
			// jumped
			boolean ofThisRun = candidacy.owner().equals(this.engine.owner());
			if (!wantsLease() || this.seeking.holdsOff(now) || !ofThisRun || this.engine.watch().hasLost(sentAt)) {
				// the floor keeps this token from being granted again, and released late
				this.seeking.found(granted.token());
				Lease unwanted = new Lease(this.name, candidacy.owner(), granted.token(), candidacy.duration());
				this.engine.scheduler().release(new PendingRelease(this, unwanted, null), now);
			}
			else if (granting.holds(this.engine.clock())) {
				lead(new Term(this, this.engine, new FencingToken(this.name, granted.token()), granting), sentAt);
			}
		}
	}

	private void lead(Term gained, Moment sentAt) {
		this.seeking.found(gained.token().value());
		this.seeking.rest();
		this.recordVanished = false;
		this.reportedByFence = null;
		this.fenceAhead = null;
		this.held = gained;
		this.term = gained;
		renewAt(sentAt.nanos() + this.settings.renewInterval().toNanos());
		this.engine.validityEnds(gained.validity().endNanos());
		LeadershipEvent.Gained event = gainedEvent(gained);
		this.history.changed(new Transition(Transition.Kind.GAINED, gained.token(), Optional.empty(), event.at()));
		this.history.renewed(event.at());
		this.gainedAt = event.at();
		this.listeners.gained(event);
		this.engine.log().gained(event);
		// how long this node leads is for the term to say
		leaderSeen(new Leader(this.engine.nodeId(), gained.token()), LONG_AGO,
				this.observed.vacancy(this.engine.now()));
	}

	void leaderSeen(Leader leader, long until, Optional<Duration> vacancy) {
		if (!leader.nodeId().equals(this.engine.nodeId())) {
			this.fenceAhead = null;
		}
		Optional<Leader> previous = this.observed.lastLeader();
		if (this.observed.leads(leader, until)) {
			this.listeners.leaderChanged(new LeadershipEvent.LeaderChanged(leader, previous, vacancy, wallTime()));
		}
	}

	private void renewAt(long due) {
		this.renewDue = due;
		this.engine.scheduler().renew(due);
	}

	long renewDue() {
		return (this.held != null) ? this.renewDue : NEVER;
	}

	/** Whether to renew now, or along with others though it is not due yet. */
	boolean renewsWith(long now) {
		long due = renewDue();
		return due != NEVER && due - now <= this.settings.renewInterval().toNanos() / 2;
	}

	/** What to renew; nothing if it turns out to have ended unnoticed. */
	@Nullable Renewal beginRenewing(long now) {
		if (this.held == null || forfeitIfEnded()) {
			return null;
		}
		this.renewDue = now + this.settings.renewInterval().toNanos();
		return new Renewal(lease(this.held.token().value()), this.recordVanished);
	}

	void renewed(Lease lease, RenewResult result, Moment sentAt, long now) {
		if (this.held == null || this.held.token().value() != lease.token() || forfeitIfEnded()) {
			return;
		}
		if (result instanceof RenewResult.Renewed renewal) {
			this.history.answered(Duration.ofNanos(now - sentAt.nanos()));
			this.history.renewed(wallTime());
			this.held.prolong(validity(sentAt, renewal.validFor()));
			this.recordVanished = false;
			renewAt(sentAt.nanos() + this.settings.renewInterval().toNanos());
			leadWithHigherToken();
		}
		else if (result instanceof RenewResult.Absent) {
			boolean refused = this.recordVanished;
			this.recordVanished = true;
			renewAt(refused ? now + this.engine.backoff().retryDelay(this.settings, 1) : now);
		}
		else {
			forfeit(LossReason.STOLEN);
		}
	}

	void recheck() {
		if (this.held != null && !forfeitIfEnded()) {
			renewAt(this.engine.now());
		}
	}

	void tokenRejected(FencingToken rejected, FencingToken highest) {
		if (this.held != null && this.held.token().equals(rejected) && highest.compareTo(rejected) > 0
				&& !highest.equals(this.fenceAhead)) {
			this.reportedByFence = highest;
			recheck();
		}
	}

	/**
	 * The store says that this node leads, and a fence says that it does not. The lease
	 * is transferred to this very node, so that no other one leads with a token that the
	 * fence would reject as well.
	 */
	private void leadWithHigherToken() {
		FencingToken highest = this.reportedByFence;
		if (highest == null || this.ending != null) {
			return;
		}
		this.reportedByFence = null;
		this.fenceAhead = highest;
		boolean reachable = highest.value() <= HIGHEST_FLOOR;
		this.engine.log().tokenRejected(Objects.requireNonNull(this.held).token(), highest, reachable);
		if (reachable) {
			this.seeking.raiseTokenFloor(highest.value());
			relinquish(LossReason.TOKEN_REJECTED, this.engine.nodeId(), 0, new CompletableFuture<>());
		}
	}

	void renewFailed(Lease lease, long retryAt) {
		if (this.held != null && this.held.token().value() == lease.token()) {
			renewAt(retryAt);
		}
	}

	/** The lease may be another's already. */
	void leaseLost() {
		if (this.held != null && !forfeitIfEnded()) {
			forfeit(LossReason.SESSION_LOST);
		}
	}

	/** When the validity of the lease held ends, if it has not; otherwise forfeits it. */
	long validityEnds() {
		return (this.held == null || forfeitIfEnded()) ? NEVER : this.held.validity().endNanos();
	}

	private boolean forfeitIfEnded() {
		if (this.held != null && !this.held.validity().holds(this.engine.clock())) {
			boolean unreachable = this.engine.storeHealth().failuresInARow() > 0;
			forfeit(unreachable ? LossReason.STORE_UNREACHABLE : LossReason.EXPIRED);
			return true;
		}
		return false;
	}

	/** Begins to give leadership up. */
	private void relinquish(LossReason reason, @Nullable String target, long holdOff,
			CompletableFuture<Boolean> released) {
		if (this.ending == null) {
			if (this.held == null) {
				complete(released, false);
				return;
			}
			this.term = null;
			this.ending = newEnding(this.held, reason, target);
		}
		Ending joined = this.ending;
		joined.join(released, holdOff);
		if (!forfeitIfEnded()) {
			joined.advance();
		}
	}

	/** Ends a leadership that is over already. */
	private void forfeit(LossReason reason) {
		Term lost = Objects.requireNonNull(this.held);
		this.held = null;
		this.term = null;
		// before work is told: what ends upon that must not pass for done in time
		lost.end();
		if (this.ending == null) {
			this.ending = newEnding(lost, reason, null);
		}
		this.ending.leaseGone(reason);
		this.ending.advance();
	}

	private Ending newEnding(Term last, LossReason reason, @Nullable String target) {
		long deadline = this.engine.now() + this.settings.drainTimeout().toNanos();
		this.engine.drainEnds(deadline);
		last.stopWork();
		return new Ending(this.engine, this, last, lease(last.token().value()), reason, target, deadline);
	}

	/** A guarded call of a term that admits no more was the last one. */
	void drained(Term drained) {
		this.engine.enter(() -> {
			if (this.ending != null && this.ending.term() == drained) {
				this.ending.advance();
			}
		});
	}

	/** Tells the listeners; says whether there are any, who will call back. */
	boolean tellLost(Term lost, LossReason reason, Runnable whenTold) {
		LeadershipEvent.Lost event = new LeadershipEvent.Lost(lost.token(), this.engine.nodeId(), reason, wallTime());
		this.history.changed(new Transition(Transition.Kind.LOST, lost.token(), Optional.of(reason), event.at()));
		this.observed.nobodyLeads();
		if (stands()) {
			this.observed.ended((this.held != null) ? this.engine.now() : lost.validity().startNanos());
		}
		boolean listening = this.listeners.lost(event, whenTold);
		this.engine.log().lost(event);
		return listening;
	}

	void stopRenewing() {
		this.held = null;
	}

	boolean isEnding(Ending candidate) {
		return this.ending == candidate;
	}

	/** When waiting for the drain ends, if it has not; otherwise ends it. */
	long drainEnds(long now) {
		return (this.ending != null) ? this.ending.endsBy(now) : NEVER;
	}

	void ended(Ending ended, boolean released) {
		this.ending = null;
		completeAll(ended.waiting(), released);
		this.seeking.seekAfter(ended.holdOff());
	}

	void candidatesSeen(List<String> candidates) {
		this.candidates = List.copyOf(candidates);
	}

	private Lease lease(long token) {
		return new Lease(this.name, this.engine.owner(), token, this.settings.leaseDuration());
	}

	private Validity validity(Moment sentAt, Duration validFor) {
		long length = validFor.equals(this.settings.leaseDuration()) ? this.validity
				: this.settings.validity(validFor).toNanos();
		return new Validity(sentAt, length);
	}

	private LeadershipEvent.Gained gainedEvent(Term gained) {
		return new LeadershipEvent.Gained(gained, this.engine.nodeId(), wallTime());
	}

	private Instant wallTime() {
		return Instant.ofEpochMilli(this.engine.clock().wallMillis());
	}

	void completeAll(List<CompletableFuture<Boolean>> futures, boolean value) {
		for (CompletableFuture<Boolean> future : futures) {
			complete(future, value);
		}
	}

	private <T> void complete(CompletableFuture<T> future, T value) {
		this.engine.later(() -> future.complete(value));
	}

	private void fail(CompletableFuture<?> future, Throwable failure) {
		this.engine.later(() -> future.completeExceptionally(failure));
	}

}
