package io.leaderelection.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the store knows of an election.
 *
 * @param holder who holds the lease, if anybody does
 * @param token the token of the last leadership
 * @param remaining how long the lease, or its reservation for a node, lasts without
 * renewal; zero when anybody may take it
 * @param candidates the ids of the nodes that stand by
 */
public record LeaseView(Optional<Owner> holder, long token, Duration remaining, List<String> candidates) {
}
