package io.leaderelection.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionState;
import io.leaderelection.ElectionStatus;
import io.leaderelection.Ineligibility;
import io.leaderelection.Leader;
import io.leaderelection.LossReason;
import io.leaderelection.NotLeaderException;
import io.leaderelection.UnknownCandidateException;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreCalls.PendingRead;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;

/**
 * One node's state machine for one election. It consists of the candidate side, which
 * obtains the lease, and the leader side, which keeps it and gives it up; the election
 * passes the outcomes on. Guarded by the engine's lock.
 */
final class Election {

	static final long NEVER = Long.MAX_VALUE;

	/** Before any moment of any clock. */
	static final long LONG_AGO = Long.MIN_VALUE;

	private final String name;

	private final ElectionSettings settings;

	private final NodeState node;

	private final StoreCallScheduler scheduler;

	private final StoreHealth storeHealth;

	private final Callbacks callbacks;

	private final Transitions transitions;

	private final CandidateState candidate;

	private final LeaderState leader;

	private final DefaultLeaderElector elector;

	private boolean standing;

	private boolean paused;

	private List<String> candidates = List.of();

	Election(String name, ElectionSettings settings, NodeState node, EngineLock lock, StoreCallScheduler scheduler,
			StoreWatch watch, StoreHealth storeHealth, Backoff backoff, Callbacks callbacks, EngineLog log) {
		this.name = name;
		this.settings = settings;
		this.node = node;
		this.scheduler = scheduler;
		this.storeHealth = storeHealth;
		this.callbacks = callbacks;
		this.transitions = new Transitions(node, callbacks, log);
		this.candidate = new CandidateState(name, settings, node, scheduler, watch, backoff, callbacks,
				this.transitions, log);
		this.leader = new LeaderState(settings, node, lock, scheduler, storeHealth, backoff, callbacks,
				this.transitions, this.candidate, log);
		this.elector = new DefaultLeaderElector(lock, this, this.leader, this.transitions);
	}

	String name() {
		return this.name;
	}

	ElectionSettings settings() {
		return this.settings;
	}

	DefaultLeaderElector elector() {
		return this.elector;
	}

	/** The candidate side: takes hints, and asks for the lease. */
	CandidateState candidate() {
		return this.candidate;
	}

	/** The leader side: renews the lease, and gives it up. */
	LeaderState leader() {
		return this.leader;
	}

	Optional<Leader> currentLeader() {
		Term present = this.leader.term();
		if (present != null && present.isCurrent()) {
			return Optional.of(new Leader(this.node.nodeId(), present.token()));
		}
		return this.candidate.record().leader();
	}

	ElectionStatus status() {
		Term present = this.leader.term();
		Term inUse = this.leader.termInUse();
		ElectionState state = state();
		ObservedRecord record = this.candidate.record();
		return new StatusSnapshot(this.name, this.node.nodeId(), state, currentLeader(),
				this.leader.isLeader() ? this.transitions.gainedAt() : Optional.empty(), this.elector.fencingToken(),
				this.settings.leaseDuration(), (present != null) ? present.remainingValidity() : Duration.ZERO,
				(inUse != null) ? inUse.inFlight() : 0, this.transitions.lastRenewal(),
				this.transitions.lastRoundTrip(), this.storeHealth.failuresInARow(), this.storeHealth.unansweredFor(),
				record.blockade().or(this.storeHealth::lastError), this.transitions.last(), this.candidates,
				this.node.ineligible(), this.candidate.fenceAhead(), record.blockedBy(),
				(state == ElectionState.HOLDING_OFF)
						? this.candidate.holdOff(this.node.now()).map(this.node.wallTime()::plus) : Optional.empty());
	}

	private ElectionState state() {
		if (this.leader.isSteppingDown()) {
			return ElectionState.DRAINING;
		}
		if (!this.standing) {
			return ElectionState.STOPPED;
		}
		if (this.leader.isLeader()) {
			return ElectionState.LEADER;
		}
		if (this.paused) {
			return ElectionState.PAUSED;
		}
		if (!this.node.isEligible()) {
			return ElectionState.INELIGIBLE;
		}
		if (this.candidate.holdOff(this.node.now()).isPresent()) {
			return ElectionState.HOLDING_OFF;
		}
		return this.candidate.isAsking() ? ElectionState.ACQUIRING : ElectionState.FOLLOWER;
	}

	void start() {
		this.standing = true;
		this.candidate.start(!this.paused);
	}

	void stop() {
		this.standing = false;
		withdraw(LossReason.STOPPED, new CompletableFuture<>());
	}

	/** Whether neither a request nor a step-down is under way. */
	boolean isQuiet() {
		return !this.leader.isSteppingDown() && !this.candidate.isAsking();
	}

	void pause(CompletableFuture<Boolean> released) {
		this.paused = true;
		withdraw(LossReason.PAUSED, released);
	}

	void resume() {
		this.paused = false;
		this.candidate.resume(this.standing);
	}

	private void withdraw(LossReason reason, CompletableFuture<Boolean> released) {
		this.candidate.withdraw();
		this.leader.relinquish(reason, null, 0, released);
	}

	/** The node has become ineligible; leadership ends only if the reason costs it. */
	void becomeIneligible(Ineligibility reason, CompletableFuture<Boolean> released) {
		this.candidate.standAside();
		reason.loss()
			.ifPresentOrElse((loss) -> this.leader.relinquish(loss, null, 0, released),
					() -> this.callbacks.complete(released, false));
	}

	void transfer(String target, CompletableFuture<Boolean> released) {
		if (!this.leader.isLeader()) {
			this.callbacks.fail(released, new NotLeaderException(this.name, currentLeader()));
		}
		else if (!this.candidates.contains(target)) {
			this.callbacks.fail(released, new UnknownCandidateException(this.name, target, this.candidates));
		}
		else {
			this.leader.relinquish(LossReason.TRANSFERRED, target, 0, released);
		}
	}

	void attempt(CompletableFuture<Boolean> leads) {
		if (this.candidate.wantsLease()) {
			this.candidate.attempt(leads);
		}
		else {
			this.callbacks.complete(leads, this.leader.isLeader());
		}
	}

	void acquired(AcquireRequest request, AcquireResult result, Moment sentAt, long now) {
		this.transitions.answered(Duration.ofNanos(now - sentAt.nanos()));
		boolean awaited = this.candidate.isAsking(request);
		CandidateState.Outcome outcome = this.candidate.answered(request, result, sentAt, now);
		if (result instanceof AcquireResult.Granted granted) {
			Lease lease = new Lease(this.name, request.owner(), granted.token(), request.duration());
			switch (outcome) {
				case GRANTED -> this.leader.lead(lease, granted.validFor(), sentAt);
				case UNWANTED -> this.leader.releaseUnwanted(lease, now);
				case UNCHANGED -> this.leader.prolong(granted.token(), granted.validFor(), sentAt);
			}
		}
		this.candidate.finishRequest(awaited, this.leader.isLeader(), now);
	}

	void readCandidates(CompletableFuture<List<String>> answer) {
		if (this.node.isActive()) {
			this.scheduler.read(new PendingRead(this, answer));
		}
		else {
			readFailed(answer, this.node.notRunning());
		}
	}

	void read(CompletableFuture<List<String>> answer, Optional<LeaseView> view, long now) {
		this.candidates = List.copyOf(view.map(LeaseView::candidates).orElse(List.of()));
		view.ifPresent((present) -> this.candidate.read(present, now));
		this.callbacks.complete(answer, this.candidates);
	}

	void readFailed(CompletableFuture<List<String>> answer, Throwable failure) {
		this.callbacks.fail(answer, failure);
	}

}
