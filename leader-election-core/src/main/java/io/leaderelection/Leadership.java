package io.leaderelection;

import java.time.Duration;

/**
 * One leadership of this node, from its gain to its end. It never becomes current again
 * once it has ended; the next leadership is another object with a higher token.
 */
public interface Leadership {

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
	 * How long this node may still call itself leader without another renewal.
	 * @return the remaining validity, zero when it has ended
	 */
	Duration remainingValidity();

	/**
	 * Counts work in, if this leadership is current. A step-down waits until as many have
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
	 * Throws unless this leadership is current.
	 * @throws LeadershipLostException if the leadership is ending or has ended
	 */
	default void check() {
		if (!isCurrent()) {
			throw new LeadershipLostException(token());
		}
	}

}
