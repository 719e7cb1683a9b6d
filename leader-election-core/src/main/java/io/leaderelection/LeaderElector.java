package io.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

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
	 * the answer. Ends a hold-off after {@link #stepDown()}, but neither a pause nor what
	 * makes this node ineligible.
	 * @return whether this node leads
	 */
	boolean tryBecomeLeader();

	/**
	 * Begins work on this thread, if this node leads, or if the work is part of work that
	 * this thread does already under this election's leadership and that is being waited
	 * for.
	 * @param onLoss what shall happen to the work when the leadership ends
	 * @return to be ended by this thread; {@code null} if the work must not begin
	 */
	@Nullable Work begin(OnLoss onLoss);

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
	 * Gives leadership up for at least one lease duration, so that another node takes it.
	 * @return completed when the lease is free: true if this node has given it up in the
	 * store, false if it did not lead, or could not finish its work or reach the store in
	 * time, so that the lease ends by itself
	 */
	CompletableFuture<Boolean> stepDown();

	/**
	 * Gives leadership up, and does not stand again before the hold-off has passed.
	 * @param holdOff how long to stand aside
	 * @return as for {@link #stepDown()}
	 */
	CompletableFuture<Boolean> stepDown(Duration holdOff);

	/**
	 * Hands leadership to a node that stands by. For a short grace time only that node
	 * can take it, afterwards any.
	 * @param nodeId the node that shall lead
	 * @return as for {@link #stepDown()}; completed exceptionally, with nothing changed,
	 * with {@link NotLeaderException} or {@link UnknownCandidateException}
	 */
	CompletableFuture<Boolean> transferTo(String nodeId);

	/**
	 * Gives leadership up, and does not stand again before {@link #resume()}.
	 * @return as for {@link #stepDown()}
	 */
	CompletableFuture<Boolean> pause();

	/**
	 * Ends a pause and a hold-off. Stands for the election again, if this node is
	 * eligible to lead.
	 */
	void resume();

	/**
	 * Asks the store at once whether the lease is still this node's, instead of at the
	 * next renewal. Does nothing if this node does not lead.
	 */
	void recheck();

	/**
	 * Reports that a fence rejected this node's token. If the store confirms that the
	 * lease is still this node's, the fence is ahead of the store, for example after a
	 * change of the backend: this node then steps down and acquires the lease again, with
	 * a token above the one that the fence has seen. Does nothing if the token is not the
	 * one that this node leads with.
	 * @param rejected the token that was rejected
	 * @param highest the highest token that the fence has seen
	 */
	void tokenRejected(FencingToken rejected, FencingToken highest);

	/**
	 * What this node knows, without asking the store.
	 * @return the status
	 */
	ElectionStatus status();

	/**
	 * Asks the store which nodes stand by; also found in the next {@link #status()}.
	 * @return completed with the node ids, or exceptionally if the store does not answer
	 */
	CompletableFuture<List<String>> candidates();

}
