package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;

/**
 * What users see when leases are bound to sessions: a killed leader is not missed until
 * its lease ends.
 */
@Tag("full")
class PostgresSessionProcessTests extends PostgresProcessTests {

	@Override
	protected List<String> properties() {
		List<String> properties = new ArrayList<>(super.properties());
		properties.add("leader-election.jdbc.mode=session");
		return properties;
	}

	/** At least two thirds of the lease are left when a leader is killed. */
	@Override
	protected Duration longestLateness() {
		return Duration.ofSeconds(-1);
	}

}
