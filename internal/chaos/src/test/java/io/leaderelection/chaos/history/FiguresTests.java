package io.leaderelection.chaos.history;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static io.leaderelection.chaos.history.Story.ONE;
import static io.leaderelection.chaos.history.Story.OTHER;
import static io.leaderelection.chaos.history.Story.nanos;
import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

	@Test
	void whatHappenedIsCounted() {
		Figures figures = Story.ofAKilledLeader().figures();
		assertThat(figures.faults()).isEqualTo(Map.of(FaultKind.KILL, 1L));
		assertThat(figures.processes()).isEqualTo(2);
		assertThat(figures.elections()).isEqualTo(2);
		assertThat(figures.accepted()).isEqualTo(1800);
		assertThat(figures.refused()).isEqualTo(Map.of(Attempt.Kind.FORMER, 1L));
		assertThat(figures.overlaps()).isZero();
		assertThat(figures.staleWrites()).isZero();
		assertThat(figures.growth()).map(Growth::process).hasValue(OTHER);
	}

	@Test
	void theLongestTimeWithoutALeaderIsFromTheLastYesToTheNext() {
		Figures figures = Story.ofAKilledLeader().figures();
		assertThat(figures.longestGap()).isEqualTo(nanos(11_502 - 9999) - 1000);
		assertThat(figures.longestGapBecause()).isEqualTo("SIGKILL");
		assertThat(figures.gaps()).containsOnlyKeys(FaultKind.START, FaultKind.KILL);
	}

	@Test
	void overlapsAndStaleWritesAreCounted() {
		Figures figures = Story.ofAKilledLeader()
			.life(ONE, 1000, 13_000)
			.says(ONE, true, 1, 10_001, 11_510)
			.withoutWrites()
			.wrote(ONE, 1, 1, 900)
			.wrote(OTHER, 2, 801, 1800)
			.figures();
		assertThat(figures.overlaps()).isOne();
		assertThat(figures.staleWrites()).isOne();
	}

	@Test
	void nothingIsMissedBetweenProcessesThatAreFarApart() {
		assertThat(Story.ofAKilledLeader().figures().unseen()).containsExactly(0L);
	}

	@Test
	void whatSamplingMayHaveMissedIsFromTheLastNoOfTheNextToTheFirstNoOfTheFormer() {
		Story story = Story.ofAKilledLeader()
			.life(ONE, 1000, 13_000)
			.says(ONE, true, 1, 10_001, 11_495)
			.says(ONE, false, 0, 11_507, 13_000);
		assertThat(story.figures().unseen()).containsExactly(nanos(11_507 - 11_500) + 1000);
		assertThat(story.figures().unseen(1)).isEqualTo(nanos(7) + 1000);
	}

	@Test
	void whoIsKnownToStandStillDoesNotLeadUnseen() {
		Story story = Story.ofAKilledLeader()
			.life(ONE, 1000, 16_000)
			.fault(FaultKind.STOP, ONE, 10_000, 15_000)
			.says(ONE, false, 0, 15_003, 16_000);
		assertThat(story.figures().unseen()).containsExactly(nanos(3) + 1000);
	}

	@Test
	void anExcerptShowsWhatWasAroundAMoment() {
		String excerpt = new Excerpt(Story.ofAKilledLeader().told()).around(nanos(10_200), Duration.ofMillis(500));
		assertThat(excerpt.lines()).hasSize(3)
			.anySatisfy((line) -> assertThat(line).startsWith("10.000000 run").contains("SIGKILL of node-1.1"))
			.anySatisfy((line) -> assertThat(line).startsWith("10.000000 node-1.1").endsWith("is gone"));
	}

}
