package io.leaderelection.integration;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;

import org.springframework.integration.leader.Context;

/**
 * One leadership, as Spring Integration knows it.
 */
final class IntegrationLeadership implements Context {

	private final LeaderElector elector;

	private final Leadership leadership;

	IntegrationLeadership(LeaderElector elector, Leadership leadership) {
		this.elector = elector;
		this.leadership = leadership;
	}

	@Override
	public boolean isLeader() {
		return this.leadership.isCurrent();
	}

	/** A later leadership is not this one's to give up. */
	@Override
	public void yield() {
		if (isLeader()) {
			this.elector.operations().stepDown();
		}
	}

	@Override
	public String getRole() {
		return this.elector.election();
	}

	@Override
	public String toString() {
		return "leadership of '%s' with token %d".formatted(getRole(), this.leadership.token().value());
	}

}
