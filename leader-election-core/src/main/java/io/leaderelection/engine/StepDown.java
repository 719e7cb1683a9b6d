package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.LossReason;
import io.leaderelection.Registration;
import io.leaderelection.store.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a leadership is given up (P4). Admission of work is closed before it
 * begins; then work is drained, the listeners are notified, and only then is the lease
 * released. If the lease is gone already, the listeners are notified at once. The leader
 * asks for the next phase, and acts on it. Guarded by the engine's lock.
 */
final class StepDown {

	enum Phase {

		/** Waiting for guarded calls; the lease is renewed meanwhile. */
		DRAINING,

		/** Waiting for the listeners; the lease is renewed meanwhile. */
		NOTIFYING,

		/** Waiting for the store to release the lease. */
		RELEASING,

		/** The lease is gone; waiting for guarded calls that outlasted it. */
		OUTLASTED,

		/** The lease is gone, and so is all work. */
		ENDED

	}

	private final Term term;

	private final Lease lease;

	private final @Nullable String target;

	private final long deadline;

	private final List<CompletableFuture<Boolean>> waiting = new ArrayList<>(1);

	private Phase phase = Phase.DRAINING;

	private LossReason reason;

	private boolean holdsLease = true;

	private boolean listenersDone;

	private long holdOff;

	/**
	 * The end of a leadership that admits no more work.
	 * @param target the node that the lease is transferred to, if any
	 * @param deadline when waiting for work and listeners ends: a lease that is still
	 * held is then left to expire
	 */
	StepDown(Term term, Lease lease, LossReason reason, @Nullable String target, long deadline) {
		this.term = term;
		this.lease = lease;
		this.reason = reason;
		this.target = target;
		this.deadline = deadline;
	}

	Term term() {
		return this.term;
	}

	Lease lease() {
		return this.lease;
	}

	LossReason reason() {
		return this.reason;
	}

	@Nullable String target() {
		return this.target;
	}

	long holdOff() {
		return this.holdOff;
	}

	/** Those to be told whether the lease was released. */
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

	void listenersDone() {
		this.listenersDone = true;
	}

	/**
	 * Enters the next phase, unless the present one still lasts.
	 * @return the phase that the leader has to act on; empty while it has to wait
	 */
	Optional<Phase> advance() {
		Phase before = this.phase;
		boolean idle = this.term.inFlight() == 0;
		if (before == Phase.DRAINING && (idle || !this.holdsLease)) {
			this.phase = Phase.NOTIFYING;
		}
		else if (before == Phase.NOTIFYING && this.listenersDone) {
			this.phase = this.holdsLease ? Phase.RELEASING : Phase.OUTLASTED;
			// the store may grant the lease to another node before it responds
			this.term.end();
		}
		else if (before == Phase.OUTLASTED && idle) {
			this.phase = Phase.ENDED;
		}
		return (this.phase != before) ? Optional.of(this.phase) : Optional.empty();
	}

	/** When waiting ends; never if it depends on the store alone. */
	long deadline() {
		return (this.phase != Phase.RELEASING) ? this.deadline : Election.NEVER;
	}

	/** Whether a release that failed may be repeated. */
	boolean mayStillRelease() {
		return this.term.isValid();
	}

	/**
	 * What users want to run when a leadership begins to end. Each action runs once, and
	 * delays nothing.
	 */
	static final class Actions {

		private final Callbacks callbacks;

		private final Map<Object, Runnable> waiting = new LinkedHashMap<>(0);

		private boolean begun;

		Actions(Callbacks callbacks) {
			this.callbacks = callbacks;
		}

		Registration add(Runnable action) {
			Objects.requireNonNull(action, "action");
			Object registration = new Object();
			if (!waits(registration, action)) {
				this.callbacks.execute(action);
			}
			return () -> forget(registration);
		}

		private synchronized boolean waits(Object registration, Runnable action) {
			if (!this.begun) {
				this.waiting.put(registration, action);
			}
			return !this.begun;
		}

		private synchronized void forget(Object registration) {
			this.waiting.remove(registration);
		}

		void runAll() {
			takeAll().forEach(this.callbacks::execute);
		}

		private synchronized List<Runnable> takeAll() {
			this.begun = true;
			List<Runnable> all = List.copyOf(this.waiting.values());
			this.waiting.clear();
			return all;
		}

	}

}
