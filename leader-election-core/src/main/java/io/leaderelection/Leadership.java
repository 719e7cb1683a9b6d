package io.leaderelection;

import java.time.Duration;
import java.util.Optional;

/**
 * One leadership of this node, from its gain to its end. It never becomes current again
 * once it has ended; the next leadership is another object with a higher token.
 */
public interface Leadership {

	/**
	 * The leadership that this thread works under: in a guarded method, in
	 * {@link LeaderElector#executeAsLeader}, and between {@link LeaderElector#begin} and
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
	 * Runs the action once, as soon as this leadership is not current any more, and at
	 * once if it is not now. For work that no thread stands for: cancel it here.
	 * @param action what to run, on a thread that renewals do not need
	 * @return closed to end it
	 */
	Registration onEnding(Runnable action);

	/**
	 * Reports that a fence rejected the token of this leadership. If the store confirms
	 * that the lease is still this node's, the fence is ahead of the store, for example
	 * after a change of the backend: this node then steps down and acquires the lease
	 * again, with a token above the one that the fence has seen. Does nothing if this
	 * leadership has ended.
	 * @param highest the highest token that the fence has seen
	 */
	void tokenRejected(FencingToken highest);

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
