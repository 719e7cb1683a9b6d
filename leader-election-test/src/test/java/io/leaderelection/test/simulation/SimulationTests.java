package io.leaderelection.test.simulation;

import io.leaderelection.test.simulation.Simulations.Summary;
import java.util.logging.Level;
import java.util.logging.Logger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Runs the simulator. The system properties {@code simulation.seeds} and
 * {@code simulation.from} choose other seeds than the first 2,000.
 */
class SimulationTests {

	private static final Logger LOGGER = Logger.getLogger("io.leaderelection.store.observed");

	private static final long SEEDS = Long.getLong("simulation.seeds", 2_000);

	/** Calls wait for several answers here, which takes longer to simulate. */
	private static final long SEEDS_WITHOUT_A_CLOCK = (SEEDS + 19) / 20;

	private static final long FIRST_SEED = Long.getLong("simulation.from", 0);

	/** What one node logs once would be logged by thousands. */
	@BeforeAll
	static void logNothing() {
		LOGGER.setLevel(Level.OFF);
	}

	@AfterAll
	static void logAgain() {
		LOGGER.setLevel(null);
	}

	@Test
	void everySeedKeepsEveryPromise() {
		Summary summary = Simulations.run(Scenario.standard(), FIRST_SEED, SEEDS);
		System.out.println("Simulated: " + summary);
		assertThat(summary.runs()).isEqualTo(SEEDS);
		assertThat(summary.faults()).isGreaterThan(50 * SEEDS);
		assertThat(summary.gains()).isGreaterThan(10 * SEEDS);
		assertThat(summary.handovers()).isGreaterThan(3 * SEEDS);
		assertThat(summary.vacancies()).isGreaterThan(3 * SEEDS);
	}

	@Test
	void everySeedKeepsEveryPromiseOnAStoreWithoutAClock() {
		Summary summary = Simulations.run(Scenario.onObservedTime(), FIRST_SEED, SEEDS_WITHOUT_A_CLOCK);
		System.out.println("Simulated: " + summary);
		assertThat(summary.runs()).isEqualTo(SEEDS_WITHOUT_A_CLOCK);
	}

	@Test
	void aSeedIsTheSameRunEveryTime() {
		for (long seed = 0; seed < 20; seed++) {
			Outcome outcome = Simulation.run(Scenario.standard(), seed);
			assertThat(Simulation.run(Scenario.standard(), seed)).isEqualTo(outcome);
			assertThat(Simulation.replay(Scenario.standard(), seed)).isEqualTo(outcome);
		}
	}

	@Test
	void aFailingSeedPrintsItselfAndFailsAgainWithItsTrace() {
		Scenario broken = Scenario.standard().tamperedWith(Mutant.RELEASE_BEFORE_LOST::tampering);
		InvariantViolation found = Simulations.search(broken, 0, 2_000).orElseThrow();
		assertThat(found).hasMessageContaining("seed " + found.seed());
		assertThat(found.trace()).isEmpty();
		InvariantViolation again = catchThrowableOfType(InvariantViolation.class,
				() -> Simulation.replay(broken, found.seed()));
		assertThat(again.promise()).isEqualTo(found.promise());
		assertThat(again.getMessage()).startsWith(found.getMessage());
		assertThat(again.trace()).isNotEmpty();
	}

}
