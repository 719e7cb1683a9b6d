package io.leaderelection.chaos.history;

/**
 * One answer of {@code isLeader()}. It was given at some instant between two readings of
 * a clock that all processes share.
 *
 * @param before the reading before, in nanoseconds
 * @param after the reading after
 */
public record Sample(long before, long after) {

}
