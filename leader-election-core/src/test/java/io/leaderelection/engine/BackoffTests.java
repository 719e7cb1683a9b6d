package io.leaderelection.engine;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import io.leaderelection.ElectionSettings;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BackoffTests {

	private static final ElectionSettings SETTINGS = ElectionSettings.ofLease(Duration.ofSeconds(10));

	private final Backoff backoff = new Backoff(new SplittableRandom(7));

	@Test
	void candidatesSpreadOutOverAHalfPercentOfTheLease() {
		LongStream spread = LongStream.generate(() -> this.backoff.jitter(SETTINGS)).limit(10_000);
		var statistics = spread.summaryStatistics();
		assertThat(statistics.getMin()).isBetween(0L, 1_000_000L);
		assertThat(statistics.getMax()).isBetween(49_000_000L, 50_000_000L);
	}

	@Test
	void theFirstRetryComesAfterAMomentAndLaterOnesWithinTheInterval() {
		for (int i = 0; i < 1_000; i++) {
			assertThat(millis(1)).isBetween(50L, 100L);
			assertThat(millis(2)).isBetween(100L, 200L);
			assertThat(millis(3)).isBetween(200L, 400L);
			assertThat(millis(100)).isBetween(833L, 1_667L);
			assertThat(millis(Integer.MAX_VALUE)).isBetween(833L, 1_667L);
			assertThat(millis(0)).isBetween(50L, 100L);
		}
	}

	@Test
	void theShortestAndLongestLeasesAreWaitedForToo() {
		ElectionSettings yearly = ElectionSettings.ofLease(Duration.ofDays(365));
		assertThat(this.backoff.retryDelay(yearly, 50)).isPositive();
		assertThat(this.backoff.jitter(yearly)).isNotNegative();
	}

	private long millis(int failures) {
		return Duration.ofNanos(this.backoff.retryDelay(SETTINGS, failures)).toMillis();
	}

}
