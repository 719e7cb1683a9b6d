package io.leaderelection.chaos;

import java.time.Duration;
import java.util.List;

import io.leaderelection.chaos.ChaosRun.Outcome;
import io.leaderelection.chaos.backend.BackendKind;
import io.leaderelection.chaos.history.Checker;
import io.leaderelection.chaos.history.Excerpt;
import io.leaderelection.chaos.history.Violation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Chaos on real processes: a short run by itself, and hours of it with other
 * {@link ChaosSettings settings}.
 */
class ChaosTests {

	private static final ChaosSettings SETTINGS = ChaosSettings.fromSystemProperties();

	static List<BackendKind> backends() {
		return SETTINGS.backends();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("backends")
	void nothingHappensThatMustNot(BackendKind backend) throws Exception {
		ChaosRun run = new ChaosRun(backend, SETTINGS);
		Outcome outcome = run.run();
		Checker checker = new Checker(outcome.history(), SETTINGS.bounds());
		List<Violation> violations = checker.violations();
		assertThat(violations).as(() -> explain(run, outcome, violations.get(0))).isEmpty();
		Evidence evidence = new Evidence(SETTINGS);
		System.out.println("Chaos on %s:%n%s".formatted(backend, evidence.table(outcome, checker.figures())));
		if (SETTINGS.evidence().isPresent()) {
			evidence.write(SETTINGS.evidence().get(), backend, outcome, checker.figures());
		}
	}

	private static String explain(ChaosRun run, Outcome outcome, Violation first) {
		return "chaos.seed=%d; the whole history is in %s. Around the first violation:%n%s%n".formatted(SETTINGS.seed(),
				run.directory(), new Excerpt(outcome.history()).around(first.at(), Duration.ofSeconds(2)));
	}

}
