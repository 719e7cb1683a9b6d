package io.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What this node knows of an election at one moment, without asking the store. The times
 * in it are those of this node's wall clock, for people.
 */
public interface ElectionStatus {

	/**
	 * The election.
	 * @return its name
	 */
	String election();

	/**
	 * This node.
	 * @return its id
	 */
	String nodeId();

	/**
	 * What this node is doing.
	 * @return the state
	 */
	ElectionState state();

	/**
	 * Who leads, as last seen.
	 * @return the leader
	 */
	Optional<Leader> leader();

	/**
	 * When this node became leader; empty if it does not lead, since a node does not know
	 * when the leadership of another began.
	 * @return the time
	 */
	Optional<Instant> leaderSince();

	/**
	 * This node's own token while it leads.
	 * @return the token
	 */
	Optional<FencingToken> token();

	/**
	 * How long a lease lasts without renewal.
	 * @return the duration
	 */
	Duration leaseDuration();

	/**
	 * How long this node may still call itself leader; zero when it may not.
	 * @return the duration
	 */
	Duration remainingValidity();

	/**
	 * Guarded calls under way.
	 * @return their number
	 */
	int inFlight();

	/**
	 * When this node's lease was last acquired or renewed.
	 * @return the time
	 */
	Optional<Instant> lastRenewal();

	/**
	 * How long the store took for this node's last renewal or acquisition.
	 * @return the duration
	 */
	Optional<Duration> lastRoundTrip();

	/**
	 * Calls to acquire or renew that have failed since the last one that succeeded; other
	 * calls do not count.
	 * @return their number
	 */
	int failuresInARow();

	/**
	 * For how long those calls have failed, since the first of those failures; zero if
	 * there are none.
	 * @return the duration
	 */
	Duration unansweredFor();

	/**
	 * The last failure of a store call: whether the store did not answer or rejected the
	 * call, and why; or that the takeover is blocked, and by what.
	 * @return the failure
	 */
	Optional<String> lastError();

	/**
	 * This node's last gains and losses, oldest first.
	 * @return the transitions
	 */
	List<Transition> transitions();

	/**
	 * The nodes that stood by when the store was last asked for them.
	 * @return their ids
	 */
	List<String> candidates();

	/**
	 * Why this node is not eligible to lead; empty if it is.
	 * @return the reasons
	 */
	Set<Ineligibility> ineligible();

	/**
	 * The highest token that a fence has seen, if it rejected this node's token although
	 * the store confirmed the lease; empty as soon as this node leads with a higher one.
	 * @return the token
	 */
	Optional<FencingToken> fenceAhead();

	/**
	 * What has prevented a takeover for longer than a lease although the lease has ended,
	 * such as an open transaction; empty if nothing does.
	 * @return the cause
	 */
	Optional<String> blockedBy();

	/**
	 * Until when this node does not ask for the lease after a step-down; empty unless it
	 * is {@link ElectionState#HOLDING_OFF holding off}.
	 * @return the time
	 */
	Optional<Instant> holdOffUntil();

	/**
	 * This node's last gain or loss.
	 * @return the transition; empty if there has been none
	 */
	default Optional<Transition> lastTransition() {
		return transitions().isEmpty() ? Optional.empty() : Optional.of(transitions().get(transitions().size() - 1));
	}

}
