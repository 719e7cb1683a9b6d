package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.store.memory.InMemoryLeaseStore;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/**
 * Makes elections that never begin, beside the start of the application: what is loaded
 * for them, and the random numbers of the JDK above all, need not be waited for later.
 */
class ElectionsBackgroundPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore())
			.nodeId("background")
			.logger(new ApplicationLogger("io.leaderelection"))
			.rehearse(false)
			.build()) {
			elections.elector(LeaderElectorRegistrar.DEFAULT_ELECTION);
		}
	}

}
