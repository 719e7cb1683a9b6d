package io.leaderelection.store;

import java.time.Duration;

/**
 * A candidate's request for a lease.
 *
 * @param election the election
 * @param owner the candidate
 * @param duration how long the lease shall last
 * @param tokenFloor the highest token that the candidate has seen; a grant exceeds it
 * @param createIfAbsent whether the lease may be granted though the store has no record
 * of the election. A candidate that has seen a record does not allow it until the lease
 * that may have vanished with the record must have ended
 */
public record AcquireRequest(String election, Owner owner, Duration duration, long tokenFloor, boolean createIfAbsent) {
}
