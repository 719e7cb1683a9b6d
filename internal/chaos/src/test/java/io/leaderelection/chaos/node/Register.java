package io.leaderelection.chaos.node;

import io.leaderelection.FencingToken;

/**
 * What the leader writes to, with a fence before it. It keeps what it accepts, in the
 * order in which it does.
 */
interface Register {

	/**
	 * Writes as a leader does, inside of guarded work.
	 * @param token the token of the leadership
	 * @param between what happens after the write has begun, and before it is sent
	 * @throws Exception if nothing was written, or nobody knows
	 */
	void write(FencingToken token, Runnable between) throws Exception;

	/**
	 * Writes with the token of a leadership that has ended.
	 * @param token the token
	 * @throws Exception if nothing was written, or nobody knows
	 */
	default void writeAsFormerLeader(FencingToken token) throws Exception {
		write(token, () -> {
		});
	}

}
