package io.leaderelection.chaos;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.leaderelection.chaos.history.FaultKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScheduleTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final Set<FaultKind> OTHERS = EnumSet.of(FaultKind.STORE_PAUSE, FaultKind.DATA_LOSS);

	@Test
	void aSeedIsOneSchedule() {
		assertThat(schedule(7, Duration.ofMinutes(5))).isEqualTo(schedule(7, Duration.ofMinutes(5)))
			.isNotEqualTo(schedule(8, Duration.ofMinutes(5)));
	}

	@Test
	void halfAnHourHasAtLeastTwoHundredFaultsOfAllKinds() {
		List<PlannedFault> schedule = schedule(1, Duration.ofMinutes(30));
		assertThat(schedule).hasSizeGreaterThan(200);
		Set<FaultKind> kinds = EnumSet.complementOf(EnumSet.of(FaultKind.START, FaultKind.STALL,
				FaultKind.STORE_RESTART, FaultKind.PROMOTION, FaultKind.LEADER_CHANGE, FaultKind.CLOCK_JUMP));
		for (FaultKind kind : kinds) {
			assertThat(schedule).filteredOn((fault) -> fault.kind() == kind).as(kind.label()).hasSizeGreaterThan(15);
		}
	}

	@Test
	void faultsAreInOrderAndWithinTheTime() {
		Duration duration = Duration.ofMinutes(5);
		assertThat(schedule(1, duration)).extracting(PlannedFault::at)
			.isSorted()
			.allSatisfy((at) -> assertThat(at).isBetween(LEASE, duration));
	}

	@Test
	void mostStopsOutlastTheLease() {
		assertThat(schedule(1, Duration.ofMinutes(30))).filteredOn((fault) -> fault.kind() == FaultKind.STOP)
			.extracting((fault) -> fault.length().compareTo(LEASE) > 0)
			.filteredOn((longer) -> longer)
			.hasSizeGreaterThan(20);
	}

	private static List<PlannedFault> schedule(long seed, Duration duration) {
		return Schedule.of(seed, duration, 5, LEASE, OTHERS);
	}

}
