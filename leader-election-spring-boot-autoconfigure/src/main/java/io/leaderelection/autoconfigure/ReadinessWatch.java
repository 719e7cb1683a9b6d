package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.Ineligibility;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;

/**
 * Has a node stand for no election while its application refuses traffic. What it leads
 * already, it goes on leading: a node that is too busy for more has work to finish.
 */
class ReadinessWatch implements ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {

	private static final Log logger = LogFactory.getLog(ReadinessWatch.class);

	private final LeaderElections elections;

	ReadinessWatch(LeaderElections elections) {
		this.elections = elections;
	}

	@Override
	public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
		if (event.getState() == ReadinessState.REFUSING_TRAFFIC) {
			logger.info("Node '%s' refuses traffic, so it stands for no election that it does not lead"
				.formatted(this.elections.nodeId()));
			this.elections.declareIneligible(Ineligibility.NOT_READY);
		}
		else {
			this.elections.declareEligible(Ineligibility.NOT_READY);
		}
	}

}
