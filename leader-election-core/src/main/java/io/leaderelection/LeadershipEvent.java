package io.leaderelection;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A change of leadership. The time in it is for people; nothing is decided by it.
 */
public sealed interface LeadershipEvent {

	/**
	 * The election that changed.
	 * @return its name
	 */
	String election();

	/**
	 * When this node saw the change, by its wall clock.
	 * @return the time
	 */
	Instant at();

	/**
	 * This node became leader.
	 *
	 * @param leadership what was gained
	 * @param nodeId this node
	 * @param at when, by this node's wall clock
	 */
	record Gained(Leadership leadership, String nodeId, Instant at) implements LeadershipEvent {

		@Override
		public String election() {
			return token().election();
		}

		/**
		 * The token of the new leadership.
		 * @return the token
		 */
		public FencingToken token() {
			return this.leadership.token();
		}

	}

	/**
	 * This node's leadership ended.
	 *
	 * @param token the token of the leadership that ended
	 * @param nodeId this node
	 * @param reason why it ended
	 * @param at when, by this node's wall clock
	 */
	record Lost(FencingToken token, String nodeId, LossReason reason, Instant at) implements LeadershipEvent {

		@Override
		public String election() {
			return this.token.election();
		}

	}

	/**
	 * This node saw another leadership than before, its own or another node's. Changes
	 * between two looks at the store are not seen.
	 *
	 * @param leader who leads now
	 * @param previous who led before, as far as this node knew
	 * @param vacancy if this node leads now: the time since the last proof that the
	 * previous leader was alive. The proof is its last renewal if the lease expired, the
	 * hint of the store if it was given up, and the last request that found the lease
	 * held if it was given up without a hint. The time in which the previous leader
	 * finished work before it gave the lease up does not count. Empty if another node
	 * leads, if this node knew of no leader before, or if it stood aside in the meantime
	 * @param at when, by this node's wall clock
	 */
	record LeaderChanged(Leader leader, Optional<Leader> previous, Optional<Duration> vacancy,
			Instant at) implements LeadershipEvent {

		@Override
		public String election() {
			return this.leader.token().election();
		}

	}

}
