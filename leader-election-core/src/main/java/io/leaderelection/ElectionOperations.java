package io.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The operations of an election that move leadership. Safe for use by any number of
 * threads.
 */
public interface ElectionOperations {

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
	 * Asks the store which nodes stand by; also found in the next
	 * {@link LeaderElector#status() status}.
	 * @return completed with the node ids, or exceptionally if the store does not answer
	 */
	CompletableFuture<List<String>> candidates();

}
