package io.leaderelection.chaos.history;

/**
 * Successive answers of one process that were all the same, none of them long after the
 * one before.
 *
 * @param process who was asked
 * @param leader what it answered
 * @param token the token of its leadership; zero if it has none, or if that changed while
 * it was asked
 * @param first the first of these answers
 * @param last the last of these answers
 * @param count how many there were
 * @param widest the longest time from the beginning of one sample to the end of the next
 */
public record Answers(String process, boolean leader, long token, Sample first, Sample last, long count, long widest) {

}
