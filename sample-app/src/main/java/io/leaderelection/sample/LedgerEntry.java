package io.leaderelection.sample;

import java.time.Instant;

/**
 * A payout that was booked.
 *
 * @param payout its number
 * @param nodeId the node that booked it
 * @param token the token of that node's leadership; a string, since some readers of JSON
 * round large numbers
 * @param at when, by the database's clock
 */
record LedgerEntry(long payout, String nodeId, String token, Instant at) {
}
