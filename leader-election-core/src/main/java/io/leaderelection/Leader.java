package io.leaderelection;

/**
 * Who leads an election, as last seen.
 *
 * @param nodeId the leading node
 * @param token the token of its leadership
 */
public record Leader(String nodeId, FencingToken token) {
}
