package io.leaderelection.actuate;

/**
 * What became of an operator's wish.
 *
 * @param election the election
 * @param action what was asked for
 * @param complete whether all is done; otherwise work under way is still waited for
 * @param released whether this node has given a lease up in the store
 * @param state the election afterwards
 */
record Outcome(String election, String action, boolean complete, boolean released, ElectionDescription state) {
}
