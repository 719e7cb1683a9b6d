package io.leaderelection.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LossReason;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreCalls.PendingRelease;
import io.leaderelection.store.Lease;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import org.jspecify.annotations.Nullable;

/**
 * The leader side of an election: the term that admits work, the renewal of its lease,
 * and its step-down. Whatever ends a leadership ends it here. All state but the present
 * term is guarded by the engine's lock; {@link #isLeader()} and {@link #admits} take
 * none.
 */
final class LeaderState {

	private static final long NEVER = Election.NEVER;

	/**
	 * The highest token to exceed when a fence reports it. Half of all tokens remain for
	 * later leaderships.
	 */
	private static final long HIGHEST_FLOOR = 1L << 62;

	private final ElectionSettings settings;

	private final NodeState node;

	private final EngineLock lock;

	private final StoreCallScheduler scheduler;

	private final StoreHealth storeHealth;

	private final Backoff backoff;

	private final Callbacks callbacks;

	private final Transitions transitions;

	private final CandidateState candidate;

	private final EngineLog log;

	/** The term that admits work, if any. */
	private volatile @Nullable Term term;

	/** The term whose lease has to be renewed: it leads or drains. */
	private @Nullable Term held;

	private long renewDue;

	/** The store has told the leader that its record is gone, so that it may write it. */
	private boolean recordVanished;

	/** What a fence that rejected the token of the lease held has reported. */
	private @Nullable FencingToken reportedByFence;

	private @Nullable StepDown stepDown;

	LeaderState(ElectionSettings settings, NodeState node, EngineLock lock, StoreCallScheduler scheduler,
			StoreHealth storeHealth, Backoff backoff, Callbacks callbacks, Transitions transitions,
			CandidateState candidate, EngineLog log) {
		this.settings = settings;
		this.node = node;
		this.lock = lock;
		this.scheduler = scheduler;
		this.storeHealth = storeHealth;
		this.backoff = backoff;
		this.callbacks = callbacks;
		this.transitions = transitions;
		this.candidate = candidate;
		this.log = log;
	}

	/** The term that admits work; its validity may have ended unnoticed. */
	@Nullable Term term() {
		return this.term;
	}

	/** The same, or the term that drains. */
	@Nullable Term termInUse() {
		return (this.stepDown != null) ? this.stepDown.term() : this.term;
	}

	boolean admits(Term candidate) {
		return this.term == candidate;
	}

	boolean isLeader() {
		Term present = this.term;
		return present != null && present.isValid();
	}

	boolean isSteppingDown() {
		return this.stepDown != null;
	}

	ElectionSettings settings() {
		return this.settings;
	}

	/** Leads with a lease that the store has granted, unless it has ended already. */
	void lead(Lease lease, Duration validFor, Moment sentAt) {
		Validity validity = Validity.of(this.settings, sentAt, validFor);
		if (!validity.holds(this.node.clock())) {
			return;
		}
		FencingToken token = new FencingToken(lease.election(), lease.token());
		Term gained = new Term(this, this.node, this.callbacks, token, validity);
		this.candidate.leadershipBegan(token.value());
		this.recordVanished = false;
		this.reportedByFence = null;
		this.held = gained;
		this.term = gained;
		renewAt(sentAt.nanos() + this.settings.renewInterval().toNanos());
		this.scheduler.validityEnds(validity.endNanos());
		this.transitions.gained(gained);
		this.candidate.leadershipAnnounced(token);
	}

	/** The store has granted the lease that is held once more. */
	void prolong(long token, Duration validFor, Moment sentAt) {
		Term prolonged = this.held;
		if (prolonged != null && prolonged.token().value() == token && !forfeitIfEnded()) {
			prolonged.prolong(Validity.of(this.settings, sentAt, validFor));
		}
	}

	/** Releases a lease that came too late. */
	void releaseUnwanted(Lease lease, long now) {
		this.scheduler.release(new PendingRelease(this, lease, null), now);
	}

	private void renewAt(long due) {
		this.renewDue = due;
		this.scheduler.renew(due);
	}

	long renewDue() {
		return (this.held != null) ? this.renewDue : NEVER;
	}

	/** Whether to renew now, or in a batch with others before it is due. */
	boolean renewsWith(long now) {
		return this.held != null && this.renewDue - now <= this.settings.renewInterval().toNanos() / 2;
	}

	/** What to renew; nothing if it turns out to have ended unnoticed. */
	@Nullable RenewRequest beginRenewing(long now) {
		if (this.held == null || forfeitIfEnded()) {
			return null;
		}
		this.renewDue = now + this.settings.renewInterval().toNanos();
		return new RenewRequest(lease(this.held), this.recordVanished);
	}

	private Lease lease(Term term) {
		return new Lease(term.token().election(), this.node.owner(), term.token().value(),
				this.settings.leaseDuration());
	}

	/** Processes a response. Only a definite answer ends leadership at once (P6). */
	void renewed(Lease lease, RenewResult result, Moment sentAt, long now) {
		Term renewing = this.held;
		if (renewing == null || renewing.token().value() != lease.token() || forfeitIfEnded()) {
			return;
		}
		if (result instanceof RenewResult.Renewed renewal) {
			this.transitions.renewed(Duration.ofNanos(now - sentAt.nanos()));
			renewing.prolong(Validity.of(this.settings, sentAt, renewal.validFor()));
			this.recordVanished = false;
			renewAt(sentAt.nanos() + this.settings.renewInterval().toNanos());
			leadWithHigherToken(renewing.token());
		}
		else if (result instanceof RenewResult.Absent) {
			boolean refused = this.recordVanished;
			this.recordVanished = true;
			renewAt(refused ? now + this.backoff.retryDelay(this.settings, 1) : now);
		}
		else {
			forfeit(LossReason.STOLEN);
		}
	}

	void renewFailed(Lease lease, long retryAt) {
		if (this.held != null && this.held.token().value() == lease.token()) {
			renewAt(retryAt);
		}
	}

	void recheck() {
		if (this.held != null && !forfeitIfEnded()) {
			renewAt(this.node.now());
		}
	}

	/** A fence has rejected the token of a term. */
	void tokenRejected(Term rejected, FencingToken highest) {
		this.lock.enter(() -> {
			if (this.held == rejected && highest.compareTo(rejected.token()) > 0
					&& !this.candidate.fenceAhead().equals(Optional.of(highest))) {
				this.reportedByFence = highest;
				recheck();
			}
		});
	}

	/**
	 * The store says that this node leads, and a fence says that it does not. The lease
	 * is transferred to this very node, so that no other one leads with a token that the
	 * fence would reject as well.
	 */
	private void leadWithHigherToken(FencingToken confirmed) {
		FencingToken highest = this.reportedByFence;
		if (highest != null && this.stepDown == null) {
			this.reportedByFence = null;
			boolean reachable = highest.value() <= HIGHEST_FLOOR;
			this.candidate.fenceAhead(highest, reachable);
			this.log.tokenRejected(confirmed, highest, reachable);
			if (reachable) {
				relinquish(LossReason.TOKEN_REJECTED, this.node.nodeId(), 0, new CompletableFuture<>());
			}
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
		if (this.held != null && !this.held.isValid()) {
			boolean unreachable = this.storeHealth.failuresInARow() > 0;
			forfeit(unreachable ? LossReason.STORE_UNREACHABLE : LossReason.EXPIRED);
			return true;
		}
		return false;
	}

	/** Ends a leadership that is over already. */
	private void forfeit(LossReason reason) {
		Term lost = Objects.requireNonNull(this.held);
		this.held = null;
		this.term = null;
		// before work is told: what ends upon that must not pass for done in time
		lost.end();
		if (this.stepDown == null) {
			this.stepDown = beginStepDown(lost, reason, null);
		}
		this.stepDown.leaseGone(reason);
		advance(this.stepDown);
	}

	/**
	 * Begins to give leadership up, or joins the step-down under way.
	 * @param target the node that the lease is transferred to, if any
	 * @param holdOff for how long this node is no candidate afterwards
	 * @param released completed with whether the store has released the lease
	 */
	void relinquish(LossReason reason, @Nullable String target, long holdOff, CompletableFuture<Boolean> released) {
		if (this.stepDown == null) {
			if (this.held == null) {
				this.callbacks.complete(released, false);
				return;
			}
			this.term = null;
			this.stepDown = beginStepDown(this.held, reason, target);
		}
		StepDown joined = this.stepDown;
		joined.join(released, holdOff);
		if (!forfeitIfEnded()) {
			advance(joined);
		}
	}

	private StepDown beginStepDown(Term last, LossReason reason, @Nullable String target) {
		long deadline = this.node.now() + this.settings.drainTimeout().toNanos();
		this.scheduler.drainEnds(deadline);
		last.stopWork();
		return new StepDown(last, lease(last), reason, target, deadline);
	}

	/** Acts on each phase that a step-down can enter now. */
	private void advance(StepDown present) {
		Optional<StepDown.Phase> entered = present.advance();
		while (entered.isPresent()) {
			switch (entered.get()) {
				case NOTIFYING -> notifyLost(present);
				case RELEASING -> {
					this.held = null;
					this.scheduler.release(new PendingRelease(this, present.lease(), present), this.node.now());
				}
				case ENDED -> {
					if (present.reason() != LossReason.STOLEN) {
						// the rest of the lease is of no use
						releaseUnwanted(present.lease(), this.node.now());
					}
					ended(present, false);
				}
				case DRAINING, OUTLASTED -> {
				}
			}
			entered = present.advance();
		}
	}

	private void notifyLost(StepDown present) {
		Term lost = present.term();
		this.candidate.leadershipLost((this.held != null) ? this.node.now() : lost.validity().startNanos());
		boolean listening = this.transitions.lost(lost, present.reason(),
				() -> this.lock.enter(() -> listenersDone(present)));
		if (!listening) {
			present.listenersDone();
		}
	}

	private void listenersDone(StepDown notified) {
		notified.listenersDone();
		if (this.stepDown == notified) {
			advance(notified);
		}
	}

	/** The last guarded call of a term that admits no more has ended. */
	void drained(Term drained) {
		this.lock.enter(() -> {
			if (this.stepDown != null && this.stepDown.term() == drained) {
				advance(this.stepDown);
			}
		});
	}

	/** When waiting for the drain ends, if it has not; otherwise ends it. */
	long drainEnds(long now) {
		StepDown overdue = this.stepDown;
		if (overdue == null || now < overdue.deadline()) {
			return (overdue != null) ? overdue.deadline() : NEVER;
		}
		this.held = null;
		overdue.leaseGone(overdue.reason());
		Term last = overdue.term();
		if (last.inFlight() > 0) {
			// after the lease is gone: work that ends because of it has not lasted
			this.log.drainTimedOut(last.token(), this.node.nodeId(), last.inFlight(), last.interruptAgain());
		}
		advance(overdue);
		if (this.stepDown == overdue) {
			ended(overdue, false);
		}
		return NEVER;
	}

	/** The store has released the lease of a step-down, or will not do so. */
	void released(StepDown releasing, boolean released) {
		if (this.stepDown == releasing) {
			releasing.term().end();
			ended(releasing, released);
		}
	}

	private void ended(StepDown ended, boolean released) {
		this.stepDown = null;
		ended.waiting().forEach((future) -> this.callbacks.complete(future, released));
		this.candidate.leadershipEnded(ended.holdOff());
	}

}
