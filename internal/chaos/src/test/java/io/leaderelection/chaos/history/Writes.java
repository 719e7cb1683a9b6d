package io.leaderelection.chaos.history;

/**
 * What the register has accepted with one token, by its own account. Positions are of the
 * register's own order, in which it has accepted all writes.
 *
 * @param process who wrote, by the word of the writer
 * @param token with which token
 * @param first the position of the first of these writes
 * @param last the position of the last one
 * @param count how many
 */
public record Writes(String process, long token, long first, long last, long count) {

}
