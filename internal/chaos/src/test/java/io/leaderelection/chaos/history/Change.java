package io.leaderelection.chaos.history;

/**
 * What a listener was told of.
 *
 * @param process whose listener
 * @param at when it ran
 * @param gained whether a leadership was gained, or lost
 * @param token its token
 * @param reason why it was lost; empty if it was gained
 */
public record Change(String process, long at, boolean gained, long token, String reason) {

}
