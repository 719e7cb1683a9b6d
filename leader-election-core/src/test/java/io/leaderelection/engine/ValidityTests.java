package io.leaderelection.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.leaderelection.engine.NodeClock.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ValidityTests {

	private static final long SECOND = 1_000_000_000;

	private static final long MILLI = 1_000_000;

	private static final long EPOCH = 1_750_000_000_000L;

	private final ManualClock clock = new ManualClock();

	@Test
	void itEndsOnTheMonotonicClockToTheNanosecond() {
		Validity validity = new Validity(this.clock.now(), 9 * SECOND);
		// the wall clock is set back, so that it does not end the validity first
		this.clock.setWall(EPOCH - 60_000);
		this.clock.setNanos(9 * SECOND - 1);
		assertThat(validity.holds(this.clock)).isTrue();
		assertThat(validity.remainingNanos(this.clock)).isEqualTo(1);
		this.clock.setNanos(9 * SECOND);
		assertThat(validity.holds(this.clock)).isFalse();
		assertThat(validity.remainingNanos(this.clock)).isZero();
		this.clock.setNanos(20 * SECOND);
		assertThat(validity.holds(this.clock)).isFalse();
		assertThat(validity.remainingNanos(this.clock)).isZero();
	}

	@Test
	void itEndsOnTheWallClockWhenTheMonotonicOneStoodStill() {
		Validity validity = new Validity(this.clock.now(), 9 * SECOND);
		this.clock.setWall(EPOCH + 8_998);
		assertThat(validity.holds(this.clock)).isTrue();
		assertThat(validity.remainingNanos(this.clock)).isEqualTo(MILLI);
		// two readings in milliseconds may hide almost one between them
		this.clock.setWall(EPOCH + 8_999);
		assertThat(validity.holds(this.clock)).isFalse();
		assertThat(validity.remainingNanos(this.clock)).isZero();
	}

	@Test
	void theWallClockNeverGrantsMoreThanTheLengthHoweverItsReadingsAreCut() {
		// read at the very end of a millisecond, and again at the very beginning of one
		long length = 1_500_000;
		Validity validity = new Validity(new Moment(0, 0), length);
		long trueStart = MILLI - 1;
		for (long trueNow = trueStart; trueNow < trueStart + 4 * MILLI; trueNow += 1_000) {
			this.clock.setWall(trueNow / MILLI);
			if (validity.holds(this.clock)) {
				assertThat(trueNow - trueStart).isLessThan(length);
			}
		}
	}

	@Test
	void aWallClockThatIsSetBackDoesNotProlongIt() {
		Validity validity = new Validity(this.clock.now(), 9 * SECOND);
		this.clock.setWall(EPOCH - TimeUnit.HOURS.toMillis(1));
		this.clock.setNanos(8 * SECOND);
		assertThat(validity.holds(this.clock)).isTrue();
		assertThat(validity.remainingNanos(this.clock)).isEqualTo(SECOND);
		this.clock.setNanos(9 * SECOND);
		assertThat(validity.holds(this.clock)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 36_500, 3_650_000, 100_000_000_000L })
	void aWallClockThatJumpsByYearsOverflowsNothing(long days) {
		Validity validity = new Validity(this.clock.now(), 9 * SECOND);
		this.clock.setWall(EPOCH + TimeUnit.DAYS.toMillis(days));
		assertThat(validity.holds(this.clock)).isFalse();
		assertThat(validity.remainingNanos(this.clock)).isZero();
		this.clock.setWall(EPOCH - TimeUnit.DAYS.toMillis(days));
		this.clock.setNanos(SECOND);
		assertThat(validity.holds(this.clock)).isTrue();
		assertThat(validity.remainingNanos(this.clock)).isPositive().isLessThanOrEqualTo(8 * SECOND);
	}

	@Test
	void theLongestLeaseAfterTheLongestUptimeOverflowsNothing() {
		this.clock.setNanos(Duration.ofDays(100 * 365).toNanos());
		long year = Duration.ofDays(365).toNanos();
		Validity validity = new Validity(this.clock.now(), year);
		assertThat(validity.holds(this.clock)).isTrue();
		assertThat(validity.endNanos()).isEqualTo(this.clock.nanos() + year);
		assertThat(validity.remainingNanos(this.clock)).isGreaterThan(year - 2 * MILLI);
		this.clock.setNanos(this.clock.nanos() + year);
		assertThat(validity.holds(this.clock)).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1, -SECOND, MILLI, Long.MIN_VALUE / 4 })
	void whatIsTooShortToBeMeasuredNeverHolds(long length) {
		Validity validity = new Validity(this.clock.now(), length);
		assertThat(validity.holds(this.clock)).isFalse();
		assertThat(validity.remainingNanos(this.clock)).isZero();
	}

	@Test
	void itCountsFromTheMomentThatItIsGivenNotFromNow() {
		Moment sentAt = this.clock.now();
		this.clock.advance(Duration.ofSeconds(5));
		Validity validity = new Validity(sentAt, 9 * SECOND);
		assertThat(validity.endNanos()).isEqualTo(9 * SECOND);
		assertThat(validity.remainingNanos(this.clock)).isBetween(4 * SECOND - 2 * MILLI, 4 * SECOND);
	}

}
