package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.ElectionState;
import io.leaderelection.ElectionStatus;
import io.leaderelection.FencingToken;
import io.leaderelection.Ineligibility;
import io.leaderelection.Leader;
import io.leaderelection.Transition;

/**
 * The status of an election at one moment.
 */
record StatusSnapshot(String election, String nodeId, ElectionState state, Optional<Leader> leader,
		Optional<Instant> leaderSince, Optional<FencingToken> token, Duration leaseDuration, Duration remainingValidity,
		int inFlight, Optional<Instant> lastRenewal, Optional<Duration> lastRoundTrip, int failuresInARow,
		Duration unansweredFor, Optional<String> lastError, List<Transition> transitions, List<String> candidates,
		Set<Ineligibility> ineligible, Optional<FencingToken> fenceAhead, Optional<String> blockedBy,
		Optional<Instant> holdOffUntil) implements ElectionStatus {

	StatusSnapshot {
		ineligible = Set.copyOf(ineligible);
	}

}
