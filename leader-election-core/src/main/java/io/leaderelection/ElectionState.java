package io.leaderelection;

/**
 * What this node is doing in an election.
 */
public enum ElectionState {

	/** Not taking part: not started yet, or stopped. */
	STOPPED,

	/** Waiting for its turn. */
	FOLLOWER,

	/** Asking the store for the lease. */
	ACQUIRING,

	/** Leading. */
	LEADER,

	/** No longer leading: finishing work and callbacks before the lease is given up. */
	DRAINING,

	/** Not asking for the lease until the hold-off after a step-down has passed. */
	HOLDING_OFF,

	/** Standing aside by an operator's wish. */
	PAUSED,

	/** Standing aside, since this node is not eligible to lead. */
	INELIGIBLE

}
