package io.leaderelection.sample;

/**
 * What the leader's other jobs found out.
 *
 * @param paid how many payouts were booked when they were last counted
 * @param audited how many of the latest payouts the last audit has looked at
 */
record Books(long paid, long audited) {
}
