package io.leaderelection.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.LeaseView;
import org.jspecify.annotations.Nullable;

/**
 * The candidate side of an election: when this node asks for the lease, above which
 * token, and what the responses say about the leader. Responses result in an
 * {@link Outcome}, which the election acts on. Guarded by the engine's lock.
 */
final class CandidateState {

	private static final long NEVER = Election.NEVER;

	private static final long LONG_AGO = Election.LONG_AGO;

	private final String name;

	private final ElectionSettings settings;

	private final NodeState node;

	private final StoreCallScheduler scheduler;

	private final StoreWatch watch;

	private final Backoff backoff;

	private final Callbacks callbacks;

	private final ObservedRecord record;

	/** Attempts that came after the present request was sent. */
	private final List<CompletableFuture<Boolean>> newAttempts = new ArrayList<>(0);

	/** Attempts that the response to the present request decides. */
	private final List<CompletableFuture<Boolean>> askedAttempts = new ArrayList<>(0);

	/** The request under way, if any. Responses to others may still arrive, late. */
	private @Nullable AcquireRequest asked;

	/** A hint arrived during a request that may have been rejected before. */
	private boolean wokenUp;

	private long tokenFloor;

	/** The token that was last granted to this node. */
	private long ownToken;

	private long notBefore = LONG_AGO;

	/** The remaining hold-off of a node that has stopped. */
	private long holdOffLeft;

	private long lookDue = NEVER;

	/** Whether the node is started, and this election is not paused. */
	private boolean standing;

	/** From a grant to the end of the step-down. */
	private boolean leading;

	/** What a fence reported when it rejected this node's token; until a higher one. */
	private @Nullable FencingToken fenceAhead;

	CandidateState(String name, ElectionSettings settings, NodeState node, StoreCallScheduler scheduler,
			StoreWatch watch, Backoff backoff, Callbacks callbacks, Transitions transitions, EngineLog log) {
		this.name = name;
		this.settings = settings;
		this.node = node;
		this.scheduler = scheduler;
		this.watch = watch;
		this.backoff = backoff;
		this.callbacks = callbacks;
		this.record = new ObservedRecord(name, settings, node, transitions, log);
	}

	/** What this node knows of the election's record. */
	ObservedRecord record() {
		return this.record;
	}

	void start(boolean standing) {
		this.standing = standing;
		this.record.startAnew();
		this.notBefore = (this.holdOffLeft > 0) ? this.node.now() + this.holdOffLeft : LONG_AGO;
		seek();
	}

	/** The clock may jump until this node starts again. */
	void stopped() {
		this.holdOffLeft = (this.notBefore != LONG_AGO) ? this.notBefore - this.node.now() : 0;
	}

	void resume(boolean standing) {
		this.standing = standing;
		this.notBefore = LONG_AGO;
		this.holdOffLeft = 0;
		seek();
	}

	/** The node stops, or this election is paused. */
	void withdraw() {
		this.standing = false;
		standAside();
	}

	void standAside() {
		this.lookDue = NEVER;
		this.record.pause();
		completeAll(false);
	}

	private boolean stands() {
		return this.standing && this.node.isEligible();
	}

	boolean wantsLease() {
		return stands() && !this.leading;
	}

	/** Asks as soon as the hold-off permits, if this node wants the lease. */
	void seek() {
		if (wantsLease()) {
			lookAt(this.node.now());
		}
	}

	/** Asks at once, and completes the attempt with the response. */
	void attempt(CompletableFuture<Boolean> leads) {
		this.newAttempts.add(leads);
		this.notBefore = LONG_AGO;
		wakeUp(this.node.now());
	}

	/** Something may have changed: asks at once, unless this node holds off. */
	void wakeUp(long now) {
		if (wantsLease() && this.notBefore <= now) {
			this.wokenUp = this.asked != null;
			lookAt(now);
		}
	}

	/** The leader may have released the lease. */
	void leaseReleased(long now) {
		this.record.leaseReleased(now);
		wakeUp(now);
	}

	/** The same, and another node may be about to take the lease. */
	void leaseReleased(Duration turn, long now) {
		if (this.asked != null) {
			leaseReleased(now);
		}
		else if (wantsLease() && this.notBefore <= now) {
			this.record.leaseReleased(now);
			lookAt(Math.min(this.lookDue, now + turn.toNanos()));
		}
	}

	private void lookAt(long due) {
		this.lookDue = Math.max(due, this.notBefore);
		this.scheduler.look(this.lookDue);
	}

	long lookDue() {
		return wantsLease() ? this.lookDue : NEVER;
	}

	/** Whether the store may be asked now, alone or in a batch with others. */
	boolean looksWith(long now) {
		long due = lookDue();
		return due != NEVER && this.notBefore <= now && due - now <= this.settings.renewInterval().toNanos();
	}

	boolean isAsking() {
		return this.asked != null;
	}

	boolean isAsking(AcquireRequest request) {
		return this.asked == request;
	}

	/** The remaining hold-off after a step-down, if any. */
	Optional<Duration> holdOff(long now) {
		return (this.notBefore > now) ? Optional.of(Duration.ofNanos(this.notBefore - now)) : Optional.empty();
	}

	AcquireRequest ask() {
		AcquireRequest request = new AcquireRequest(this.name, this.node.owner(), this.settings.leaseDuration(),
				this.tokenFloor, this.record.mayCreate());
		this.asked = request;
		this.wokenUp = false;
		this.lookDue = NEVER;
		this.askedAttempts.addAll(this.newAttempts);
		this.newAttempts.clear();
		return request;
	}

	/**
	 * Processes a response. The response to a request that was given up may arrive after
	 * a newer one: then it can still grant the lease, but is no longer evidence of the
	 * present leader.
	 */
	Outcome answered(AcquireRequest request, AcquireResult result, Moment sentAt, long now) {
		boolean awaited = isAsking(request);
		if (awaited) {
			this.asked = null;
			this.record.blocked((result instanceof AcquireResult.Held held) ? held.blockedBy().orElse(null) : null);
		}
		if (result instanceof AcquireResult.Granted granted) {
			this.record.exists(this.settings.leaseDuration());
			return granted(request, granted.token(), sentAt, now);
		}
		if (result instanceof AcquireResult.Held held) {
			this.tokenFloor = Math.max(this.tokenFloor, held.token());
			this.record.exists(held.duration());
			if (awaited) {
				refused(held, sentAt, now);
			}
		}
		else if (awaited) {
			absent(now);
		}
		return Outcome.UNCHANGED;
	}

	private Outcome granted(AcquireRequest request, long token, Moment sentAt, long now) {
		if (token <= this.tokenFloor) {
			return Outcome.UNCHANGED;
		}
		// what was sent before the last start counts from a clock that may have jumped
		boolean ofThisRun = request.owner().equals(this.node.owner());
		if (wantsLease() && this.notBefore <= now && ofThisRun && !this.watch.hasLost(sentAt)) {
			return Outcome.GRANTED;
		}
		// the floor keeps this token from being granted again, and released late
		raiseTo(token);
		return Outcome.UNWANTED;
	}

	private void refused(AcquireResult.Held refusal, Moment sentAt, long now) {
		Optional<String> holder = refusal.nodeId();
		// the rest of this node's own lease is no leadership
		if (holder.isPresent() && refusal.token() > 0 && refusal.token() != this.ownToken) {
			keepReport(holder.get());
			this.record.held(refusal, holder.get(), sentAt, now);
		}
		else {
			this.record.noLeader();
		}
		// hints may be lost, or the store may not send any
		Duration longest = this.watch.isOpen() ? this.settings.leaseDuration() : this.settings.renewInterval();
		long remaining = Math.max(refusal.remaining().toNanos(), 0);
		long wait = Math.min(remaining + this.backoff.jitter(this.settings), longest.toNanos());
		lookAt(this.wokenUp ? now : now + wait);
	}

	private void absent(long now) {
		this.record.missing();
		long again = Math.min(this.record.mayCreateAt(), now + this.settings.renewInterval().toNanos());
		lookAt(Math.max(again, now + this.backoff.retryDelay(this.settings, 1)));
	}

	/** Plans the next request, and completes the attempts that this one has decided. */
	void finishRequest(boolean awaited, boolean leads, long now) {
		if (awaited && wantsLease() && this.lookDue == NEVER) {
			lookAt(now + this.backoff.retryDelay(this.settings, 1));
		}
		if (leads) {
			completeAll(true);
		}
		else if (awaited) {
			completeAsked(false);
		}
	}

	void failed(long retryAt) {
		this.asked = null;
		this.record.requestFailed();
		lookAt(retryAt);
		completeAsked(false);
	}

	/** Processes a record that was read, perhaps before a later observation. */
	void read(LeaseView view, long now) {
		if (view.token() < this.tokenFloor || view.token() == this.ownToken) {
			return;
		}
		if (view.holder().isPresent()) {
			String holder = view.holder().get().nodeId();
			keepReport(holder);
			this.record.ledBy(holder, view.token(), now + view.remaining().toNanos());
		}
		else {
			this.record.noLeader();
		}
	}

	/** The report of a fence concerns this node, until another one leads. */
	private void keepReport(String leader) {
		this.fenceAhead = leader.equals(this.node.nodeId()) ? this.fenceAhead : null;
	}

	void leadershipBegan(long token) {
		raiseTo(token);
		this.lookDue = NEVER;
		this.fenceAhead = null;
		this.leading = true;
	}

	void leadershipAnnounced(FencingToken token) {
		this.record.ledByThisNode(token);
	}

	/** This node has proved for the last time that it was alive as a leader. */
	void leadershipLost(long lastSign) {
		this.record.noLeader();
		if (stands()) {
			this.record.ended(lastSign);
		}
	}

	/** Nothing remains of this node's leadership: it holds off, and then asks again. */
	void leadershipEnded(long holdOff) {
		this.leading = false;
		this.notBefore = (holdOff > 0) ? this.node.now() + holdOff : LONG_AGO;
		if (holdOff > 0) {
			this.record.forgetRenewal();
		}
		seek();
	}

	private void raiseTo(long token) {
		this.tokenFloor = token;
		this.ownToken = token;
	}

	/** A fence is ahead of the store; later requests exceed it, unless out of reach. */
	void fenceAhead(FencingToken highest, boolean reachable) {
		this.fenceAhead = highest;
		this.tokenFloor = reachable ? Math.max(this.tokenFloor, highest.value()) : this.tokenFloor;
	}

	Optional<FencingToken> fenceAhead() {
		return Optional.ofNullable(this.fenceAhead);
	}

	private void completeAsked(boolean leads) {
		List<CompletableFuture<Boolean>> completed = List.copyOf(this.askedAttempts);
		this.askedAttempts.clear();
		completed.forEach((attempt) -> this.callbacks.complete(attempt, leads));
	}

	private void completeAll(boolean leads) {
		this.askedAttempts.addAll(this.newAttempts);
		this.newAttempts.clear();
		completeAsked(leads);
	}

	/**
	 * What a response means for the election.
	 */
	enum Outcome {

		/** This node may lead. */
		GRANTED,

		/** This node does not want the lease any more, and releases it. */
		UNWANTED,

		/** The store grants nothing new. */
		UNCHANGED

	}

}
