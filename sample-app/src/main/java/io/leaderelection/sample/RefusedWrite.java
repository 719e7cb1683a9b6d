package io.leaderelection.sample;

import java.time.Instant;

/**
 * A payout that the ledger refused, since a newer leader had been there before.
 *
 * @param payout its number
 * @param nodeId the node that was refused
 * @param token the stale token
 * @param newestToken the highest token that the ledger had seen
 * @param at when, by the database's clock
 */
record RefusedWrite(long payout, String nodeId, String token, String newestToken, Instant at) {
}
