package io.leaderelection.benchmarks.peers.node;

import java.util.OptionalLong;

/**
 * The elections that this node stands for, as an application of the contestant sees them.
 */
public interface Candidacy {

	/**
	 * Whether this node leads, by what the contestant offers to ask.
	 * @param election which one, from zero
	 * @return the answer
	 */
	boolean leads(int election);

	/**
	 * The fencing token of the leadership.
	 * @return the token of the first election, or nothing if there are no tokens, or this
	 * node does not lead
	 */
	default OptionalLong token() {
		return OptionalLong.empty();
	}

}
