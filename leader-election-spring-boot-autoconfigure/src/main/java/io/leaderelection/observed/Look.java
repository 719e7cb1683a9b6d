package io.leaderelection.observed;

import java.time.Duration;

/**
 * What was seen of one election, and for how long it had been seen like that. The time
 * proves something only together with a write that fails if the record is no longer so.
 *
 * @param seen what was seen
 * @param unchanged for how long
 */
record Look(Sight seen, Duration unchanged) {
}
