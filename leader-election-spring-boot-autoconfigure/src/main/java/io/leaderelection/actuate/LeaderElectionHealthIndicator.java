package io.leaderelection.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.leaderelection.ElectionStatus;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * {@link AbstractHealthIndicator Health indicator} for the elections of this node. Both
 * leading and following is healthy. A store that does not answer is an outage only when
 * it has not for longer than a lease: before that, leadership may not even have changed.
 * A node that stands aside does not ask the store, so that it cannot tell. A fence that
 * rejects the token of a leader stops its work, so that it is an outage, too.
 */
class LeaderElectionHealthIndicator extends AbstractHealthIndicator {

	private final LeaderElections elections;

	/**
	 * An indicator for the elections of this node.
	 * @param elections the elections
	 */
	public LeaderElectionHealthIndicator(LeaderElections elections) {
		super("The state of the elections could not be read");
		this.elections = elections;
	}

	@Override
	protected void doHealthCheck(Health.Builder health) {
		health.up().withDetail("nodeId", this.elections.nodeId());
		Map<String, Object> details = new LinkedHashMap<>();
		for (LeaderElector elector : this.elections.electors()) {
			ElectionStatus status = elector.status();
			if (asksTheStore(status) && status.unansweredFor().compareTo(status.leaseDuration()) > 0) {
				health.down();
			}
			if (status.fenceAhead().isPresent() || status.blockedBy().isPresent()) {
				health.down();
			}
			details.put(status.election(), describe(status));
		}
		health.withDetail("elections", details);
	}

	private static boolean asksTheStore(ElectionStatus status) {
		return switch (status.state()) {
			case LEADER, DRAINING, FOLLOWER, ACQUIRING -> true;
			case HOLDING_OFF, PAUSED, INELIGIBLE, STOPPED -> false;
		};
	}

	private static Map<String, Object> describe(ElectionStatus status) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("state", ElectionDescription.word(status.state()));
		status.leader().map(Leader::nodeId).ifPresent((leader) -> details.put("leader", leader));
		if (!status.ineligible().isEmpty()) {
			details.put("ineligible", ElectionDescription.ineligible(status));
		}
		status.fenceAhead().ifPresent((highest) -> details.put("fenceAhead", highest.value()));
		if (!status.unansweredFor().equals(Duration.ZERO)) {
			details.put("storeUnansweredFor", status.unansweredFor());
		}
		status.blockedBy().ifPresent((blocker) -> details.put("blockedBy", blocker));
		if (!status.unansweredFor().isZero() || status.blockedBy().isPresent()) {
			status.lastError().ifPresent((error) -> details.put("lastError", error));
		}
		return details;
	}

}
