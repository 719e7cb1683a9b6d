package io.leaderelection.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * {@link InfoContributor} that says which elections this node leads.
 */
class LeaderElectionInfoContributor implements InfoContributor {

	private final LeaderElections elections;

	private final String backend;

	/**
	 * A contributor for the elections of this node.
	 * @param elections the elections
	 * @param backend what decides them
	 */
	public LeaderElectionInfoContributor(LeaderElections elections, String backend) {
		this.elections = elections;
		this.backend = backend;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, Boolean> leads = new LinkedHashMap<>();
		for (LeaderElector elector : this.elections.electors()) {
			leads.put(elector.election(), elector.isLeader());
		}
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("nodeId", this.elections.nodeId());
		details.put("backend", this.backend);
		details.put("leads", leads);
		builder.withDetail("leaderElection", details);
	}

}
