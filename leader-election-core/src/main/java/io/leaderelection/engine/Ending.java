package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.LossReason;
import org.jspecify.annotations.Nullable;

/**
 * A leadership on its way out. Its phases are the order that is promised: admission is
 * closed before it begins, work is drained, the listeners are told, and only then is the
 * lease given up.
 */
final class Ending {

	enum Phase {

		/** Waiting for the guarded calls under way; the lease is renewed meanwhile. */
		DRAINING,

		/** Waiting for the listeners; the lease is renewed meanwhile. */
		TELLING,

		/** Waiting for the store to take the lease back. */
		RELEASING,

		/** The lease is gone; waiting for guarded calls that outlasted it. */
		OUTLASTED

	}

	final Term term;

	/** When waiting ends: the lease is then left to expire. */
	final long deadline;

	final @Nullable String target;

	Phase phase = Phase.DRAINING;

	LossReason reason;

	/** Whether the lease is still this node's, to be renewed and then given up. */
	boolean holdsLease = true;

	boolean listenersTold;

	long holdOff;

	private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>(1);

	Ending(Term term, LossReason reason, @Nullable String target, long deadline) {
		this.term = term;
		this.reason = reason;
		this.target = target;
		this.deadline = deadline;
	}

	void join(CompletableFuture<Boolean> future, long holdOff) {
		this.waiting.add(future);
		this.holdOff = Math.max(this.holdOff, holdOff);
	}

	List<CompletableFuture<Boolean>> waiting() {
		return this.waiting;
	}

}
