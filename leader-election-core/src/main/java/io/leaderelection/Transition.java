package io.leaderelection;

import java.time.Instant;
import java.util.Optional;

/**
 * A gain or loss of leadership by this node.
 *
 * @param kind gained or lost
 * @param token the leadership's token
 * @param reason why it was lost; empty for a gain
 * @param at when, by this node's wall clock
 */
public record Transition(Kind kind, FencingToken token, Optional<LossReason> reason, Instant at) {

	/**
	 * What happened.
	 */
	public enum Kind {

		/** This node became leader. */
		GAINED,

		/** This node's leadership ended. */
		LOST

	}

}
