package io.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What this node knows of an election at one moment, without asking the store.
 *
 * @param election the election
 * @param nodeId this node
 * @param state what this node is doing
 * @param leader who leads, as last seen
 * @param token this node's own token while it leads
 * @param remainingValidity how long this node may still call itself leader; zero when it
 * may not
 * @param inFlight guarded calls under way
 * @param lastRoundTrip how long the store took for this node's last renewal or
 * acquisition
 * @param failuresInARow store calls that have failed since the last one that succeeded
 * @param lastTransition this node's last gain or loss
 * @param lastError the last failure of a store call
 * @param candidates the nodes that stood by when the store was last asked for them
 */
public record ElectionStatus(String election, String nodeId, ElectionState state, Optional<Leader> leader,
		Optional<FencingToken> token, Duration remainingValidity, int inFlight, Optional<Duration> lastRoundTrip,
		int failuresInARow, Optional<Transition> lastTransition, Optional<String> lastError, List<String> candidates) {
}
