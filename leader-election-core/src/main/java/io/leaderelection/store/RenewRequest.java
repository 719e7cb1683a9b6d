package io.leaderelection.store;

/**
 * A holder's request to prolong its lease.
 *
 * @param lease the lease
 * @param createIfAbsent whether the record may be written again though the store has
 * none, or only one of an earlier leadership. A holder allows it only after the store has
 * told it so: a renewal that was sent before, and comes late, must not revive a
 * leadership that has ended
 */
public record RenewRequest(Lease lease, boolean createIfAbsent) {
}
