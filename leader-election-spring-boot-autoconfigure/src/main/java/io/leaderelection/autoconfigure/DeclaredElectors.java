package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;

/**
 * Makes the elector beans that {@link LeaderElectorRegistrar} registers, also where the
 * application has {@link LeaderElections} of its own.
 */
final class DeclaredElectors {

	static final String BEAN_NAME = "leaderElectionDeclaredElectors";

	private final LeaderElections elections;

	private final ConfiguredSettings settings;

	DeclaredElectors(LeaderElections elections, ConfiguredSettings settings) {
		this.elections = elections;
		this.settings = settings;
	}

	LeaderElector elector(String election) {
		return this.elections.find(election)
			.orElseGet(() -> this.elections.elector(election, this.settings.of(election)));
	}

}
