package io.leaderelection.test.simulation;

import java.util.Optional;

import java.util.logging.Level;
import java.util.logging.Logger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator tests something only if it notices a rule that is broken.
 */
class MutantTests {

	private static final Logger LOGGER = Logger.getLogger("io.leaderelection.store.observed");

	private static final long SEEDS = 2_000;

	private static final String RARELY_NOTICED = "TAKEOVER_WITHOUT_HEARTBEAT_CHECK";

	/** What one node logs once would be logged by thousands. */
	@BeforeAll
	static void logNothing() {
		LOGGER.setLevel(Level.OFF);
	}

	@AfterAll
	static void logAgain() {
		LOGGER.setLevel(null);
	}

	@ParameterizedTest
	@EnumSource
	void aBrokenRuleIsNoticed(Mutant mutant) {
		Optional<InvariantViolation> violation = Simulations.search(Scenario.standard().tamperedWith(mutant::tampering),
				0, SEEDS);
		assertThat(violation).as("%s within %d seeds", mutant, SEEDS).isPresent();
		assertThat(violation.get().promise()).isIn(mutant.promises());
		System.out.println("%s: %s".formatted(mutant, violation.get().getMessage()));
	}

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = RARELY_NOTICED)
	void aBrokenRuleOfAnObservedTimeStoreIsNoticed(ObservedMutant mutant) {
		search(mutant);
	}

	/** Takes more than a thousand seeds. */
	@Tag("full")
	@ParameterizedTest
	@EnumSource(names = RARELY_NOTICED)
	void aBrokenRuleOfAnObservedTimeStoreIsNoticedInTheEnd(ObservedMutant mutant) {
		search(mutant);
	}

	private static void search(ObservedMutant mutant) {
		Optional<InvariantViolation> violation = Simulations
			.search(Scenario.onObservedTime().tamperedWith(mutant::tampering), 0, SEEDS);
		assertThat(violation).as("%s within %d seeds", mutant, SEEDS).isPresent();
		assertThat(violation.get().promise()).isIn(mutant.promises());
		System.out.println("%s: %s".formatted(mutant, violation.get().getMessage()));
	}

}
