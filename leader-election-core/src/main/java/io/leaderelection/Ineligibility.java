package io.leaderelection;

import java.util.Optional;

/**
 * Why a node is not eligible to lead.
 */
public enum Ineligibility {

	/**
	 * Not ready for work: the node does not stand, but goes on leading what it leads.
	 */
	NOT_READY,

	/** Unable to work: the node steps down everywhere, too. */
	UNHEALTHY;

	/**
	 * What this costs a node that leads.
	 * @return why its leadership ends; empty if it goes on leading
	 */
	public Optional<LossReason> loss() {
		return (this == UNHEALTHY) ? Optional.of(LossReason.UNHEALTHY) : Optional.empty();
	}

}
