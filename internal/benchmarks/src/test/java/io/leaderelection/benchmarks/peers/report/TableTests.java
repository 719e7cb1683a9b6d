package io.leaderelection.benchmarks.peers.report;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.benchmarks.peers.Contestant;
import io.leaderelection.benchmarks.peers.Results.Figure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TableTests {

	private static final Measure TIME = Measure.millis("time", "time, ms");

	private static final Measure SIZE = Measure.single("size", "size", Measure::number).toldOnly();

	@Test
	void aRowHasMedianAndSpread() {
		assertThat(table(SampleRuns.figures("time", 1, 25, 3)).markdown()).isEqualTo("""
				| | time, ms | size |
				|---|---|---|
				| **ours, Redis** | 3.0 (1.0 to 25) | – |
				""");
	}

	@Test
	void whoHasNothingMeasuredGetsADashAndNoZero() {
		assertThat(table(List.of(SampleRuns.figure("time", 1), SampleRuns.figure(Contestant.CURATOR, "size", 0)))
			.markdown()).contains("| **ours, Redis** | 1.0 | – |").contains("| Curator LeaderLatch | – | 0 |");
	}

	@Test
	void whatNobodyWaitedForIsWrittenAsMore() {
		assertThat(table(List.of(SampleRuns.beyond("time", 80))).markdown()).contains("| > 80 |");
	}

	@Test
	void aheadIsSaid() {
		assertThat(table(List.of(SampleRuns.figure("time", 1), SampleRuns.figure(Contestant.CURATOR, "time", 2)))
			.verdict()).isEqualTo("- time, ms: **ours, Redis** ahead of every peer.");
	}

	@Test
	void behindIsSaidToo() {
		assertThat(table(List.of(SampleRuns.figure("time", 3), SampleRuns.figure(Contestant.CURATOR, "time", 2),
				SampleRuns.figure(Contestant.REDISSON, "time", 4)))
			.verdict()).isEqualTo("- time, ms: **ours, Redis** **behind** Curator LeaderLatch.");
	}

	@Test
	void levelIsNotAhead() {
		assertThat(table(List.of(SampleRuns.figure("time", 2), SampleRuns.figure(Contestant.CURATOR, "time", 2)))
			.verdict()).isEqualTo("- time, ms: **ours, Redis** level with Curator LeaderLatch.");
	}

	@Test
	void aDifferenceThatMayBeChanceIsNone() {
		assertThat(verdict(List.of(3.0, 1.0, 6.0), List.of(2.0, 4.0, 5.0)))
			.isEqualTo("- time, ms: **ours, Redis** level with Curator LeaderLatch.");
	}

	@Test
	void oneOutlierOfEitherMakesNobodyLevel() {
		assertThat(verdict(List.of(1.0, 2.0, 9.0), List.of(5.0, 4.0, 6.0)))
			.isEqualTo("- time, ms: **ours, Redis** ahead of every peer.");
		assertThat(verdict(List.of(5.0, 4.0, 6.0), List.of(1.0, 2.0, 9.0)))
			.isEqualTo("- time, ms: **ours, Redis** **behind** Curator LeaderLatch.");
	}

	private static String verdict(List<Double> ours, List<Double> curators) {
		List<Figure> figures = new ArrayList<>();
		ours.forEach((value) -> figures.add(SampleRuns.figure("time", value)));
		curators.forEach((value) -> figures.add(SampleRuns.figure(Contestant.CURATOR, "time", value)));
		return table(figures).verdict();
	}

	@Test
	void oursThatStandAlikeAreNamedTogether() {
		assertThat(table(List.of(SampleRuns.figure("time", 2), SampleRuns.figure(Contestant.OURS_ZOOKEEPER, "time", 3),
				SampleRuns.figure(Contestant.OURS_POSTGRESQL, "time", 5),
				SampleRuns.figure(Contestant.CURATOR, "time", 4)))
			.verdict())
			.isEqualTo("- time, ms: **ours, Redis**, **ours, ZooKeeper** ahead of every peer; "
					+ "**ours, PostgreSQL** **behind** Curator LeaderLatch.");
	}

	@Test
	void withoutAPeerThereIsNothingToSay() {
		assertThat(table(SampleRuns.figures("time", 1)).verdict()).isEmpty();
	}

	private static Table table(List<Figure> figures) {
		return new Table(List.of(TIME, SIZE), figures);
	}

}
