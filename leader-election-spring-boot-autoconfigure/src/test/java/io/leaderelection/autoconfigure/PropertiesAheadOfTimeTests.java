package io.leaderelection.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Properties that decide which beans there are cannot be changed after processing.
 */
class PropertiesAheadOfTimeTests {

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void aBackendThatWasGuessedNeedNotBeConfigured() {
		PropertiesAheadOfTime.require(this.environment, BackendChoice.PROPERTY, "redis");
	}

	@Test
	void aBackendThatWasGuessedMayBeConfigured() {
		this.environment.setProperty(BackendChoice.PROPERTY, "Redis");
		PropertiesAheadOfTime.require(this.environment, BackendChoice.PROPERTY, "redis");
	}

	@Test
	void anotherBackendIsRefused() {
		this.environment.setProperty(BackendChoice.PROPERTY, "redis");
		assertRefused("leader-election.backend is 'redis', but was 'local'", BackendChoice.PROPERTY, "local");
	}

	@Test
	void theBackendOfOneProcessIsNotKeptInSilence() {
		assertRefused("leader-election.backend is not set, but was 'local'", BackendChoice.PROPERTY, "local");
	}

	@ParameterizedTest
	@CsvSource({ "leader-election.enabled, true", "leader-election.leader-only.enabled, true",
			"leader-election.fencing.jdbc.enabled, true", "leader-election.integration.enabled, true",
			"leader-election.stand-only-when-ready, true", "leader-election.step-down-when-unhealthy, false" })
	void aSwitchThatIsAnotherOneIsRefused(String property, boolean byDefault) {
		PropertiesAheadOfTime.require(this.environment, property, String.valueOf(byDefault));
		assertRefused("%s is '%s', but was '%s'".formatted(property, byDefault, !byDefault), property,
				String.valueOf(!byDefault));
		this.environment.setProperty(property, String.valueOf(!byDefault));
		PropertiesAheadOfTime.require(this.environment, property, String.valueOf(!byDefault));
	}

	private void assertRefused(String message, String... decided) {
		assertThatExceptionOfType(ConfigurationProblemException.class)
			.isThrownBy(() -> PropertiesAheadOfTime.require(this.environment, decided))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.getAction()).contains(decided[0], "build the application again"));
	}

}
