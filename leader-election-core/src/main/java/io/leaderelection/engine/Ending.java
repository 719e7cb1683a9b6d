package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.LossReason;
import io.leaderelection.engine.StoreCalls.PendingRelease;
import io.leaderelection.store.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A leadership on its way out. Its phases are the order that is promised: admission is
 * closed before it begins, work is drained, the listeners are told, and only then is the
 * lease given up. A lease that is gone already shortens the way: the listeners are told
 * at once.
 */
final class Ending {

	private enum Phase {

		/** Waiting for the guarded calls under way; the lease is renewed meanwhile. */
		DRAINING,

		/** Waiting for the listeners; the lease is renewed meanwhile. */
		TELLING,

		/** Waiting for the store to take the lease back. */
		RELEASING,

		/** The lease is gone; waiting for guarded calls that outlasted it. */
		OUTLASTED

	}

	private final ElectionEngine engine;

	private final Election election;

	private final Term term;

	private final Lease lease;

	private final @Nullable String target;

	private final long deadline;

	private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>(1);

	private Phase phase = Phase.DRAINING;

	private LossReason reason;

	private boolean holdsLease = true;

	private boolean listenersTold;

	private long holdOff;

	/**
	 * The end of a leadership that admits no more work.
	 * @param deadline when waiting for work and listeners ends: a lease that is still
	 * held is then left to expire
	 */
	Ending(ElectionEngine engine, Election election, Term term, Lease lease, LossReason reason, @Nullable String target,
			long deadline) {
		this.engine = engine;
		this.election = election;
		this.term = term;
		this.lease = lease;
		this.reason = reason;
		this.target = target;
		this.deadline = deadline;
	}

	Term term() {
		return this.term;
	}

	@Nullable String target() {
		return this.target;
	}

	long holdOff() {
		return this.holdOff;
	}

	List<CompletableFuture<Boolean>> waiting() {
		return this.waiting;
	}

	void join(CompletableFuture<Boolean> released, long holdOff) {
		this.waiting.add(released);
		this.holdOff = Math.max(this.holdOff, holdOff);
	}

	void leaseGone(LossReason reason) {
		this.reason = reason;
		this.holdsLease = false;
		this.term.end();
	}

	void advance() {
		if (this.phase == Phase.DRAINING && (!this.holdsLease || this.term.inFlight() == 0)) {
			this.phase = Phase.TELLING;
			this.listenersTold = !this.election.tellLost(this.term, this.reason, this::told);
		}
		if (this.phase == Phase.TELLING && this.listenersTold) {
			this.phase = this.holdsLease ? Phase.RELEASING : Phase.OUTLASTED;
			if (this.holdsLease) {
				this.election.stopRenewing();
				// the store may grant the lease to another node before it answers this
				// one
				this.term.end();
				giveUp(this);
			}
		}
		if (this.phase == Phase.OUTLASTED && this.term.inFlight() == 0) {
			if (this.reason != LossReason.STOLEN) {
				// what is left of the lease helps nobody
				giveUp(null);
			}
			this.election.ended(this, false);
		}
	}

	private void told() {
		this.engine.enter(() -> {
			this.listenersTold = true;
			if (this.election.isEnding(this)) {
				advance();
			}
		});
	}

	private void giveUp(@Nullable Ending waitingForIt) {
		this.engine.scheduler().release(new PendingRelease(this.election, this.lease, waitingForIt), this.engine.now());
	}

	/** When waiting ends, if it has not; otherwise ends it. */
	long endsBy(long now) {
		if (this.phase == Phase.RELEASING) {
			return Election.NEVER;
		}
		if (now < this.deadline) {
			return this.deadline;
		}
		if (this.holdsLease) {
			this.election.stopRenewing();
			leaseGone(this.reason);
		}
		if (this.term.inFlight() > 0) {
			// after the lease is gone: work that ends because of it has not lasted
			this.engine.log()
				.drainTimedOut(this.term.token(), this.engine.nodeId(), this.term.inFlight(),
						this.term.inFlightCalls().interruptAgain());
		}
		advance();
		if (this.election.isEnding(this)) {
			this.election.ended(this, false);
		}
		return Election.NEVER;
	}

	boolean mayStillRelease() {
		return this.term.isValid();
	}

	/** The store took the lease back, or will not any more. */
	void released(boolean released) {
		if (this.election.isEnding(this)) {
			this.term.end();
			this.election.ended(this, released);
		}
	}

}
