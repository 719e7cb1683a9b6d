package io.leaderelection.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Registration;
import io.leaderelection.Work;
import org.jspecify.annotations.Nullable;

/**
 * One leadership of this node: its token, its validity, and the guarded calls made under
 * it.
 */
final class Term implements Leadership {

	private final LeaderState leader;

	private final NodeClock clock;

	private final List<Consumer<Leadership>> workListeners;

	private final FencingToken token;

	private final AtomicInteger inFlight = new AtomicInteger();

	private final InFlightCalls inFlightCalls = new InFlightCalls(this);

	private final StepDown.Actions endingActions;

	private volatile Validity validity;

	private volatile boolean over;

	Term(LeaderState leader, NodeState node, Callbacks callbacks, FencingToken token, Validity validity) {
		this.leader = leader;
		this.clock = node.clock();
		this.workListeners = node.workListeners();
		this.endingActions = new StepDown.Actions(callbacks);
		this.token = token;
		this.validity = validity;
	}

	@Override
	public FencingToken token() {
		return this.token;
	}

	boolean belongsTo(LeaderState leader) {
		return this.leader == leader;
	}

	@Override
	public boolean isCurrent() {
		return this.leader.admits(this) && isValid();
	}

	@Override
	public boolean isHeld() {
		return !this.over && isValid();
	}

	boolean isValid() {
		return this.validity.holds(this.clock);
	}

	@Override
	public Duration remainingValidity() {
		return isCurrent() ? Duration.ofNanos(this.validity.remainingNanos(this.clock)) : Duration.ZERO;
	}

	@Override
	public void tokenRejected(FencingToken highest) {
		this.leader.tokenRejected(this, highest);
	}

	/**
	 * Counts a call in, unless this leadership admits no more. Counting first and asking
	 * afterwards is what lets a step-down trust the count once it has closed admission.
	 */
	boolean enter() {
		this.inFlight.incrementAndGet();
		if (isCurrent()) {
			return true;
		}
		exit();
		return false;
	}

	/**
	 * Counts a part of work in that is counted itself. It is still waited for, so this
	 * will be, too: a step-down shall not tear in two what it waits for.
	 */
	private boolean enterWithin(@Nullable Leadership outer) {
		if (outer != this && !InFlightCalls.enclosing(outer).contains(this)) {
			return false;
		}
		boolean counted = enterPart();
		if (counted && !isHeld()) {
			exit();
			return false;
		}
		return counted;
	}

	/** Counts a part of work in that is still counted itself. */
	boolean enterPart() {
		return this.inFlight.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
	}

	private void exit() {
		if (this.inFlight.decrementAndGet() == 0 && !this.leader.admits(this)) {
			this.leader.drained(this);
		}
	}

	/** Counts work out; whether this leadership has lasted until now. */
	boolean workEnded() {
		boolean lasted = isHeld();
		exit();
		return lasted;
	}

	int inFlight() {
		return this.inFlight.get();
	}

	@Nullable Work begin(OnLoss onLoss, @Nullable Leadership outer) {
		if (enter()) {
			return begun(this.inFlightCalls.begin(onLoss, outer, false));
		}
		return enterWithin(outer) ? begun(this.inFlightCalls.begin(onLoss, outer, true)) : null;
	}

	private Work begun(Work work) {
		try {
			for (Consumer<Leadership> listener : this.workListeners) {
				listener.accept(this);
			}
			return work;
		}
		catch (Throwable ex) {
			work.end();
			throw ex;
		}
	}

	InFlightCalls inFlightCalls() {
		return this.inFlightCalls;
	}

	@Override
	public Registration onEnding(Runnable action) {
		return this.endingActions.add(action);
	}

	/** Has the work under way end soon; admission is closed already. */
	void stopWork() {
		this.inFlightCalls.dismiss();
		this.endingActions.runAll();
	}

	/** Interrupts again the work that was interrupted; describes all that is left. */
	List<String> interruptAgain() {
		return this.inFlightCalls.interruptAgain();
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
