package io.leaderelection.engine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.LeaseView;
import org.jspecify.annotations.Nullable;

/**
 * How a node that does not hold a lease seeks it: when it asks, above which token, and
 * what a refusal tells it. Guarded by the engine's lock.
 */
final class Seeking {

	private static final long NEVER = Election.NEVER;

	private static final long LONG_AGO = Election.LONG_AGO;

	private final ElectionEngine engine;

	private final Election election;

	private final ElectionSettings settings;

	private final Observed observed;

	private final Attempts attempts = new Attempts();

	private final Blockade blockade;

	/** The request under way, if any. Others may still be answered, late. */
	private @Nullable Candidacy asked;

	/** A hint came while a request was under way that may have been refused before. */
	private boolean wokenUp;

	private long tokenFloor;

	/** The token that was last granted to this node. */
	private long ownToken;

	private long notBefore = LONG_AGO;

	/** What is left of a hold-off while this node stands for nothing. */
	private long holdOffLeft;

	private long lookDue = NEVER;

	/** When a lease of another process with the id of this node was first seen. */
	private long namesakeSeen = NEVER;

	Seeking(ElectionEngine engine, Election election, Observed observed) {
		this.engine = engine;
		this.election = election;
		this.settings = election.settings();
		this.observed = observed;
		this.blockade = new Blockade(engine, election);
	}

	/** What prevents the takeover of a lease that has ended. */
	Blockade blockade() {
		return this.blockade;
	}

	void start() {
		this.observed.startAnew();
		this.namesakeSeen = NEVER;
		this.notBefore = (this.holdOffLeft > 0) ? this.engine.now() + this.holdOffLeft : LONG_AGO;
		seek();
	}

	/** The clock may have jumped when this node starts again. */
	void stopped() {
		this.holdOffLeft = (this.notBefore != LONG_AGO) ? this.notBefore - this.engine.now() : 0;
	}

	void resume() {
		this.notBefore = LONG_AGO;
		this.holdOffLeft = 0;
		seek();
	}

	void seekAfter(long holdOff) {
		this.notBefore = (holdOff > 0) ? this.engine.now() + holdOff : LONG_AGO;
		if (holdOff > 0) {
			this.observed.forgetRenewal();
		}
		seek();
	}

	void seek() {
		if (this.election.wantsLease()) {
			lookAt(this.engine.now());
		}
	}

	void seekAtOnce(CompletableFuture<Boolean> leads) {
		this.attempts.add(leads);
		this.notBefore = LONG_AGO;
		wakeUp(this.engine.now());
	}

	void standAside() {
		this.lookDue = NEVER;
		this.observed.lookAway();
		this.blockade.forget();
		this.election.completeAll(this.attempts.takeAll(), false);
	}

	/** Something may have changed: asks at once. */
	void wakeUp(long now) {
		if (this.election.wantsLease() && this.notBefore <= now) {
			this.wokenUp = this.asked != null;
			lookAt(now);
		}
	}

	/** The leader may have given the lease up. */
	void givenUp(long now) {
		this.observed.givenUp(now);
		wakeUp(now);
	}

	/**
	 * The leader may have given the lease up, and another node may be about to take it.
	 */
	void givenUp(Duration turn, long now) {
		if (this.asked != null) {
			givenUp(now);
		}
		else if (this.election.wantsLease() && this.notBefore <= now) {
			this.observed.givenUp(now);
			lookAt(Math.min(this.lookDue, now + turn.toNanos()));
		}
	}

	private void lookAt(long due) {
		this.lookDue = Math.max(due, this.notBefore);
		this.engine.scheduler().look(this.lookDue);
	}

	long lookDue() {
		return this.election.wantsLease() ? this.lookDue : NEVER;
	}

	/**
	 * Whether the store should be asked now, or may as well be asked along with others.
	 */
	boolean looksWith(long now) {
		long due = lookDue();
		return due != NEVER && this.notBefore <= now && due - now <= this.settings.renewInterval().toNanos();
	}

	boolean isAsking() {
		return this.asked != null;
	}

	boolean holdsOff(long now) {
		return this.notBefore > now;
	}

	/** How long this node does not ask after a step-down; zero if it does. */
	Duration holdOff(long now) {
		return holdsOff(now) ? Duration.ofNanos(this.notBefore - now) : Duration.ZERO;
	}

	Candidacy ask() {
		Candidacy candidacy = new Candidacy(this.election.name(), this.engine.owner(), this.settings.leaseDuration(),
				this.tokenFloor, this.observed.mayCreate(this.engine.clock().now()));
		this.asked = candidacy;
		this.wokenUp = false;
		this.lookDue = NEVER;
		this.attempts.asked();
		return candidacy;
	}

	/**
	 * Hears an answer. One that was given up may come after a newer one: then it can
	 * still bring the lease, but says nothing of how things are now.
	 */
	void answered(Candidacy candidacy, AcquireResult result, Moment sentAt, long now) {
		boolean awaited = this.asked == candidacy;
		this.asked = awaited ? null : this.asked;
		if (awaited) {
			this.blockade.seen((result instanceof AcquireResult.Held held) ? held.blockedBy().orElse(null) : null);
		}
		if (result instanceof AcquireResult.Granted granted) {
			this.observed.lease(this.settings.leaseDuration());
			this.election.granted(candidacy, granted, sentAt, now);
		}
		else if (result instanceof AcquireResult.Held heldByOther) {
			this.tokenFloor = Math.max(this.tokenFloor, heldByOther.token());
			this.observed.lease(heldByOther.duration());
			if (awaited) {
				refused(heldByOther, sentAt, now);
			}
		}
		else if (awaited) {
			absent(now);
		}
		if (awaited && this.election.wantsLease() && this.lookDue == NEVER) {
			lookAt(now + this.engine.backoff().retryDelay(this.settings, 1));
		}
		if (this.election.isLeader()) {
			this.election.completeAll(this.attempts.takeAll(), true);
		}
		else if (awaited) {
			this.election.completeAll(this.attempts.takeAsked(), false);
		}
	}

	void failed(long retryAt) {
		this.asked = null;
		this.observed.requestFailed();
		lookAt(retryAt);
		this.election.completeAll(this.attempts.takeAsked(), false);
	}

	private void refused(AcquireResult.Held refusal, Moment sentAt, long now) {
		long remaining = Math.max(refusal.remaining().toNanos(), 0);
		// what is left of this node's own lease is nobody's leadership
		if (refusal.nodeId().isPresent() && refusal.token() > 0 && refusal.token() != this.ownToken) {
			this.observed.held(sentAt.nanos(), Duration.ofNanos(remaining), refusal.duration());
			if (refusal.nodeId().get().equals(this.engine.nodeId())) {
				heldByNamesake(sentAt.nanos() + remaining, refusal.duration().toNanos(), now);
			}
			this.election.leaderSeen(
					new Leader(refusal.nodeId().get(), new FencingToken(this.election.name(), refusal.token())),
					now + remaining + this.settings.callTimeout().toNanos(), Optional.empty());
		}
		else {
			this.observed.nobodyLeads();
		}
		long wait = Math.min(remaining + this.engine.backoff().jitter(this.settings),
				this.engine.longestLook(this.settings));
		lookAt(this.wokenUp ? now : now + wait);
	}

	/**
	 * After a restart, the lease of the last run remains for its duration at most. One
	 * that was renewed after that time belongs to a live process.
	 */
	private void heldByNamesake(long leaseEnds, long duration, long now) {
		this.namesakeSeen = Math.min(this.namesakeSeen, now);
		if (leaseEnds - duration > this.namesakeSeen + duration) {
			this.engine.duplicateNodeId(this.election.name());
		}
	}

	/**
	 * Takes note of a leader that was read, perhaps before what this node has seen since.
	 */
	void read(LeaseView view, long now) {
		if (view.token() < this.tokenFloor || view.token() == this.ownToken) {
			return;
		}
		if (view.holder().isPresent()) {
			this.election.leaderSeen(
					new Leader(view.holder().get().nodeId(), new FencingToken(this.election.name(), view.token())),
					now + view.remaining().toNanos() + this.settings.callTimeout().toNanos(), Optional.empty());
		}
		else {
			this.observed.nobodyLeads();
		}
	}

	private void absent(long now) {
		this.observed.missing(this.engine.clock().now());
		this.observed.nobodyLeads();
		long again = Math.min(this.observed.mayCreateAt(), now + this.settings.renewInterval().toNanos());
		lookAt(Math.max(again, now + this.engine.backoff().retryDelay(this.settings, 1)));
	}

	long tokenFloor() {
		return this.tokenFloor;
	}

	void raiseTokenFloor(long token) {
		this.tokenFloor = Math.max(this.tokenFloor, token);
	}

	/** Whoever asks later asks for a higher one. */
	void found(long token) {
		this.tokenFloor = token;
		this.ownToken = token;
	}

	void rest() {
		this.lookDue = NEVER;
	}

}
