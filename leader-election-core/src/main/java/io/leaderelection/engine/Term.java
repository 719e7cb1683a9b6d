package io.leaderelection.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;

/**
 * One leadership of this node: its token, its validity, and the guarded calls made under
 * it.
 */
final class Term implements Leadership {

	private final Election election;

	private final NodeClock clock;

	private final FencingToken token;

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile Validity validity;

	private volatile boolean over;

	Term(Election election, NodeClock clock, FencingToken token, Validity validity) {
		this.election = election;
		this.clock = clock;
		this.token = token;
		this.validity = validity;
	}

	@Override
	public FencingToken token() {
		return this.token;
	}

	@Override
	public boolean isCurrent() {
		return this.election.admits(this) && isValid();
	}

	boolean isValid() {
		return this.validity.holds(this.clock);
	}

	@Override
	public Duration remainingValidity() {
		return isCurrent() ? Duration.ofNanos(this.validity.remainingNanos(this.clock)) : Duration.ZERO;
	}

	/**
	 * Counts a call in, unless this leadership admits no more. Counting first and asking
	 * afterwards is what lets a step-down trust the count once it has closed admission.
	 */
	@Override
	public boolean enter() {
		this.inFlight.incrementAndGet();
		if (isCurrent()) {
			return true;
		}
		exit();
		return false;
	}

	@Override
	public void exit() {
		int before = this.inFlight.getAndUpdate((count) -> Math.max(0, count - 1));
		if (before == 0) {
			throw new IllegalStateException(
					"More work left the leadership of '%s' than had entered".formatted(this.token.election()));
		}
		if (before == 1 && !this.election.admits(this)) {
			this.election.drained(this);
		}
	}

	int inFlight() {
		return this.inFlight.get();
	}

	/** Whether the lease still protects what is done under this leadership. */
	boolean isProtected() {
		return !this.over && isValid();
	}

	void end() {
		this.over = true;
	}

	Validity validity() {
		return this.validity;
	}

	/** Answers may come out of order; a later end is never replaced by an earlier one. */
	void prolong(Validity renewed) {
		if (renewed.endNanos() > this.validity.endNanos()) {
			this.validity = renewed;
		}
	}

}
