package io.leaderelection.test.simulation;

import java.time.Duration;

/**
 * What happened in a run that kept all promises.
 *
 * @param seed the run
 * @param events how many events were simulated
 * @param faults how many faults were injected
 * @param gains how many leaderships began
 * @param handovers how many hand-overs and crashes were timed in calm weather
 * @param longestHandover the longest time from a lease given up to the next leader
 * @param longestTakeover the longest time from the end of a crashed leader's lease to the
 * next leader
 * @param vacancies how many reported vacancies were compared with the truth
 */
record Outcome(long seed, long events, int faults, int gains, int handovers, Duration longestHandover,
		Duration longestTakeover, int vacancies) {
}
