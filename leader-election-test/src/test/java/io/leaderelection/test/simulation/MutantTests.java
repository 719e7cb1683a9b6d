package io.leaderelection.test.simulation;

import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator tests something only if it notices a rule that is broken.
 */
class MutantTests {

	private static final long SEEDS = 2_000;

	@ParameterizedTest
	@EnumSource
	void aBrokenRuleIsNoticed(Mutant mutant) {
		Optional<InvariantViolation> violation = Simulations.search(Scenario.standard().tamperedWith(mutant::tampering),
				0, SEEDS);
		assertThat(violation).as("%s within %d seeds", mutant, SEEDS).isPresent();
		assertThat(violation.get().promise()).isIn(mutant.promises());
		System.out.println("%s: %s".formatted(mutant, violation.get().getMessage()));
	}

}
