package io.leaderelection;

/**
 * Why a leadership ended.
 */
public enum LossReason {

	/** The node was asked to step down. */
	STEPPED_DOWN,

	/** The lease was handed to a named candidate. */
	TRANSFERRED,

	/** The node's candidacy was paused. */
	PAUSED,

	/** The node was declared {@linkplain Ineligibility#UNHEALTHY unhealthy}. */
	UNHEALTHY,

	/** The node stopped. */
	STOPPED,

	/**
	 * A fence rejected the token although the store confirmed the lease: the node becomes
	 * leader again with a higher token.
	 */
	TOKEN_REJECTED,

	/** The store said that the lease is not, or no longer, this node's. */
	STOLEN,

	/**
	 * The validity ended before a renewal was tried: the process or machine stood still.
	 */
	EXPIRED,

	/** The validity ended while renewals failed. */
	STORE_UNREACHABLE,

	/** The session with the store ended that the lease was bound to. */
	SESSION_LOST;

	/**
	 * Whether the node gave the leadership up by itself, so that work could be drained.
	 * @return {@code true} for an end that somebody asked for
	 */
	public boolean isVoluntary() {
		return switch (this) {
			case STEPPED_DOWN, TRANSFERRED, PAUSED, UNHEALTHY, STOPPED, TOKEN_REJECTED -> true;
			case STOLEN, EXPIRED, STORE_UNREACHABLE, SESSION_LOST -> false;
		};
	}

}
