package io.leaderelection.benchmarks.peers.report;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StatisticsTests {

	@Test
	void theMedianOfAnOddNumberIsTheOneInTheMiddle() {
		assertThat(Statistics.of(SampleRuns.figures("m", 9, 1, 4))).isEqualTo(new Statistics(3, 1, 4, 9, false, false));
	}

	@Test
	void theMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle() {
		assertThat(Statistics.of(SampleRuns.figures("m", 9, 1, 4, 6)).median()).isEqualTo(5);
	}

	@Test
	void whatNobodyWaitedForIsMarkedWhereItShows() {
		Statistics oneBeyond = Statistics
			.of(List.of(SampleRuns.figure("m", 1), SampleRuns.figure("m", 2), SampleRuns.beyond("m", 80)));
		assertThat(oneBeyond.medianBeyond()).isFalse();
		assertThat(oneBeyond.highestBeyond()).isTrue();
		Statistics mostBeyond = Statistics
			.of(List.of(SampleRuns.figure("m", 1), SampleRuns.beyond("m", 80), SampleRuns.beyond("m", 81)));
		assertThat(mostBeyond.medianBeyond()).isTrue();
	}

	@Test
	void ofNothingNothingIsSaid() {
		assertThatIllegalArgumentException().isThrownBy(() -> Statistics.of(List.of()));
	}

}
