package io.leaderelection.chaos;

import java.util.List;

import io.leaderelection.chaos.ChaosRun.Outcome;
import io.leaderelection.chaos.backend.BackendKind;
import io.leaderelection.chaos.history.Checker;
import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.Violation;
import io.leaderelection.chaos.history.Violation.Kind;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes that take a flag for leadership, and write without a fence, are found by what
 * finds nothing in others.
 */
@Tag("full")
class BrokenNodesAreFoundTests {

	@Test
	void aFlagAndAWriteWithoutAFenceAreFound() throws Exception {
		ChaosSettings settings = ChaosSettings.broken(BackendKind.REDIS);
		PlannedFault stop = new PlannedFault(settings.lease(), FaultKind.STOP, true, 0,
				settings.lease().multipliedBy(2), 0);
		Outcome outcome = new ChaosRun(BackendKind.REDIS, settings).run((others) -> List.of(stop));
		assertThat(new Checker(outcome.history(), settings.bounds()).violations()).extracting(Violation::kind)
			.contains(Kind.TWO_LEADERS, Kind.STALE_WRITE_ACCEPTED);
	}

}
