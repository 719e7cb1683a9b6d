package io.leaderelection.store.observed;

import org.jspecify.annotations.Nullable;

/**
 * A node's heartbeat as it was read.
 *
 * @param id the heartbeat
 * @param version equal to no version of any other write of this heartbeat; none if the
 * heartbeat does not exist
 */
public record HeartbeatSnapshot(String id, @Nullable Object version) {
}
