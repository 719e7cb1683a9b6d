package io.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What this node knows of an election at one moment, without asking the store. The times
 * in it are those of this node's wall clock, for people.
 *
 * @param election the election
 * @param nodeId this node
 * @param state what this node is doing
 * @param leader who leads, as last seen
 * @param leaderSince when this node became leader; empty if it does not lead, since a
 * node does not know when the leadership of another began
 * @param token this node's own token while it leads
 * @param leaseDuration how long a lease lasts without renewal
 * @param remainingValidity how long this node may still call itself leader; zero when it
 * may not
 * @param inFlight guarded calls under way
 * @param lastRenewal when this node's lease was last acquired or renewed
 * @param lastRoundTrip how long the store took for this node's last renewal or
 * acquisition
 * @param failuresInARow calls to acquire or renew that have failed since the last one
 * that succeeded; other calls do not count
 * @param unansweredFor for how long those calls have failed, since the first of those
 * failures; zero if there are none
 * @param lastError the last failure of a store call: whether the store did not answer or
 * rejected the call, and why; or that the takeover is blocked, and by what
 * @param transitions this node's last gains and losses, oldest first
 * @param candidates the nodes that stood by when the store was last asked for them
 * @param ineligible why this node is not eligible to lead; empty if it is
 * @param fenceAhead the highest token that a fence has seen, if it rejected this node's
 * token although the store confirmed the lease; empty as soon as this node leads with a
 * higher one
 * @param blockedBy what has prevented a takeover for longer than a lease although the
 * lease has ended, such as an open transaction; empty if nothing does
 * @param holdOffUntil until when this node does not ask for the lease after a step-down;
 * empty unless it is {@link ElectionState#HOLDING_OFF holding off}
 */
public record ElectionStatus(String election, String nodeId, ElectionState state, Optional<Leader> leader,
		Optional<Instant> leaderSince, Optional<FencingToken> token, Duration leaseDuration, Duration remainingValidity,
		int inFlight, Optional<Instant> lastRenewal, Optional<Duration> lastRoundTrip, int failuresInARow,
		Duration unansweredFor, Optional<String> lastError, List<Transition> transitions, List<String> candidates,
		Set<Ineligibility> ineligible, Optional<FencingToken> fenceAhead, Optional<String> blockedBy,
		Optional<Instant> holdOffUntil) {

	public ElectionStatus {
		ineligible = Set.copyOf(ineligible);
	}

	/**
	 * This node's last gain or loss.
	 * @return the transition; empty if there has been none
	 */
	public Optional<Transition> lastTransition() {
		return this.transitions.isEmpty() ? Optional.empty()
				: Optional.of(this.transitions.get(this.transitions.size() - 1));
	}

}
