package io.leaderelection;

/**
 * Who leads an election, as last seen.
 *
 * @param nodeId the leading node
 * @param token the token of its leadership
 */
public record Leader(String nodeId, FencingToken token) {

	@Override
	public String toString() {
		return "Leader[nodeId=%s, token=%s]".formatted(Names.printable(this.nodeId), this.token);
	}

}
