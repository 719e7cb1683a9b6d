package io.leaderelection;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * One leadership of this node, from its gain to its end. It never becomes current again
 * once it has ended; the next leadership is another object with a higher token.
 */
public interface Leadership {

	/**
	 * The leadership that this thread works under: in a guarded method, in
	 * {@link LeaderElector#executeAsLeader}, and between {@link #begin} and
	 * {@link Work#end()}.
	 * @return the leadership, which may have ended by now; empty if this thread's work is
	 * not guarded
	 */
	static Optional<Leadership> current() {
		return Optional.ofNullable(CurrentLeadership.get());
	}

	/**
	 * The token of this leadership, to be checked at the resource.
	 * @return the token, also after the leadership has ended
	 */
	FencingToken token();

	/**
	 * Whether work under this leadership may go on. False as soon as the node steps down,
	 * is replaced, or can no longer be sure; no I/O, no lock.
	 * @return {@code true} while this leadership lasts
	 */
	boolean isCurrent();

	/**
	 * Whether the lease still protects what is done under this leadership. Unlike
	 * {@link #isCurrent()} true also while this node steps down and waits for work under
	 * way.
	 * @return {@code true} until the lease is given up or this node can no longer be sure
	 */
	boolean isHeld();

	/**
	 * How long this node may still call itself leader without another renewal.
	 * @return the remaining validity, zero when it has ended
	 */
	Duration remainingValidity();

	/**
	 * Counts work in, if this leadership is current, or if the work is part of work that
	 * this thread does under it already. A step-down waits until as many have
	 * {@link #exit() left} as have entered.
	 * @return {@code true} if the work may begin; otherwise nothing was counted
	 */
	boolean enter();

	/**
	 * Counts work out, once for each successful {@link #enter()}, from any thread.
	 * @throws IllegalStateException if more work leaves than has entered
	 */
	void exit();

	/**
	 * Begins work on this thread, if this leadership is current, or if the work is part
	 * of work that this thread does under it already.
	 * @param onLoss what shall happen to the work when this leadership ends
	 * @return to be ended by this thread; {@code null} if the work must not begin
	 */
	@Nullable Work begin(OnLoss onLoss);

	/**
	 * Runs the action once, as soon as this leadership is not current any more, and at
	 * once if it is not now. For work that no thread stands for: cancel it here.
	 * @param action what to run, on a thread that renewals do not need
	 * @return closed to end it
	 */
	Registration onEnding(Runnable action);

	/**
	 * Throws unless this leadership is current.
	 * @throws LeadershipLostException if the leadership is ending or has ended
	 */
	default void check() {
		if (!isCurrent()) {
			throw new LeadershipLostException(token());
		}
	}

}
