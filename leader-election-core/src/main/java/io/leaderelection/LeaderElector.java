package io.leaderelection;

import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * This node's part in one election. Safe for use by any number of threads.
 */
public interface LeaderElector {

	/**
	 * The election's name.
	 * @return the name
	 */
	String election();

	/**
	 * The election's settings.
	 * @return the settings
	 */
	ElectionSettings settings();

	/**
	 * Whether this node leads, at this very moment. No I/O, no lock, no allocation; false
	 * by itself once the node cannot be sure, whatever hangs.
	 * @return {@code true} if this node leads
	 */
	boolean isLeader();

	/**
	 * The leadership that this node has now.
	 * @return the leadership; empty if this node does not lead
	 */
	Optional<Leadership> leadership();

	/**
	 * The token of the leadership that this node has now.
	 * @return the token; empty if this node does not lead
	 */
	Optional<FencingToken> fencingToken();

	/**
	 * Who leads, as this node last saw it. No I/O: another node may lead by now.
	 * @return the leader; empty if none is known
	 */
	Optional<Leader> getCurrentLeader();

	/**
	 * Asks the store for the lease now, instead of at the next occasion, and waits for
	 * the answer. Ends a hold-off after a step-down, but neither a pause nor what makes
	 * this node ineligible.
	 * @return whether this node leads
	 */
	boolean tryBecomeLeader();

	/**
	 * Runs the work if this node leads. A step-down waits for it.
	 * @param work what to do
	 * @return the work's result
	 * @throws NotLeaderException if this node does not lead; the work was not begun
	 * @throws LeadershipLostException if the leadership ended before the work did; an
	 * exception of the work itself goes first and carries this one as suppressed
	 * @throws Exception what the work throws
	 */
	<T> T executeAsLeader(Callable<T> work) throws Exception;

	/**
	 * Begins work on this thread, if this node leads, or if the work is part of work that
	 * this thread already does under this election's leadership. A step-down waits until
	 * the work is ended. Use {@link #executeAsLeader} unless the work ends elsewhere.
	 * @param onLoss what happens to the work when the leadership ends
	 * @return the work, to be ended by this thread; empty if it must not begin
	 */
	Optional<Work> begin(OnLoss onLoss);

	/**
	 * Runs the action on every gain, and at once if this node leads already.
	 * @param action what to run
	 * @return closed to end it
	 */
	Registration onLeadershipGained(Runnable action);

	/**
	 * Runs the action on every loss.
	 * @param action what to run
	 * @return closed to end it
	 */
	Registration onLeadershipLost(Runnable action);

	/**
	 * Tells the listener of every change from now on, beginning with the present
	 * leadership if this node leads.
	 * @param listener the listener
	 * @return closed to end it
	 */
	Registration addListener(LeadershipListener listener);

	/**
	 * What this node knows, without asking the store.
	 * @return the status
	 */
	ElectionStatus status();

	/**
	 * The operations that move leadership, for operators.
	 * @return the operations
	 */
	ElectionOperations operations();

}
