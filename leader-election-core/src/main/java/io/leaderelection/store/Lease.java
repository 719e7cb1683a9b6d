package io.leaderelection.store;

import java.time.Duration;

/**
 * A lease that was granted: what its holder shows to renew, release or transfer it.
 *
 * @param election the election
 * @param owner the holder
 * @param token the token it was granted with
 * @param duration how long it lasts from each renewal on
 */
public record Lease(String election, Owner owner, long token, Duration duration) {
}
