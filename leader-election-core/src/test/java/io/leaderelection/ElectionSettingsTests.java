package io.leaderelection;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.leaderelection.ElectionSettings.Builder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ElectionSettingsTests {

	private static final Duration TOO_LONG = Duration.ofDays(365).plusNanos(1);

	@Test
	void theDefaultsFollowFromALeaseOfTenSeconds() {
		ElectionSettings settings = ElectionSettings.defaults();
		assertThat(settings.leaseDuration()).isEqualTo(Duration.ofSeconds(10));
		assertThat(settings.renewInterval()).isEqualTo(Duration.ofSeconds(10).dividedBy(3));
		assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(2));
		assertThat(settings.clockDrift()).isEqualTo(0.01);
		assertThat(settings.safetyMargin()).isEqualTo(Duration.ofMillis(500));
		assertThat(settings.drainTimeout()).isEqualTo(Duration.ofSeconds(20));
		assertThat(settings.coldStartWait()).isZero();
		assertThat(settings.transferGrace()).isEqualTo(settings.renewInterval());
	}

	@Test
	void whatIsNotSetFollowsFromTheLease() {
		ElectionSettings settings = ElectionSettings.ofLease(Duration.ofSeconds(60));
		assertThat(settings.renewInterval()).isEqualTo(Duration.ofSeconds(20));
		assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(12));
		assertThat(settings.safetyMargin()).isEqualTo(Duration.ofSeconds(3));
		assertThat(settings.transferGrace()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void whatIsSetStaysAsItIs() {
		ElectionSettings settings = ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(30))
			.renewInterval(Duration.ofSeconds(5))
			.callTimeout(Duration.ofSeconds(4))
			.clockDrift(0.02)
			.safetyMargin(Duration.ofSeconds(2))
			.drainTimeout(Duration.ZERO)
			.coldStartWait(Duration.ofSeconds(31))
			.transferGrace(Duration.ofSeconds(7))
			.build();
		assertThat(settings).hasToString("Settings[leaseDuration=PT30S, renewInterval=PT5S, callTimeout=PT4S, "
				+ "clockDrift=0.02, safetyMargin=PT2S, drainTimeout=PT0S, coldStartWait=PT31S, transferGrace=PT7S]");
	}

	@Test
	void theGraceFollowsFromARenewIntervalThatIsSet() {
		ElectionSettings settings = ElectionSettings.builder().renewInterval(Duration.ofSeconds(1)).build();
		assertThat(settings.transferGrace()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void theValidityIsTheLeaseLessDriftAndMargin() {
		ElectionSettings settings = ElectionSettings.defaults();
		assertThat(settings.validity(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(9_400));
		assertThat(settings.validity(Duration.ofSeconds(5))).isEqualTo(Duration.ofMillis(4_450));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void durationsThatCannotWorkAreRefusedByName(String message, UnaryOperator<Builder> change) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> change.apply(ElectionSettings.builder().leaseDuration(Duration.ofSeconds(10))).build())
			.withMessage(message);
	}

	static Stream<Arguments> durationsThatCannotWorkAreRefusedByName() {
		return Stream.of(
				refused("leaseDuration (0s) must be greater than zero", (it) -> it.leaseDuration(Duration.ZERO)),
				refused("leaseDuration (-1s) must not be negative", (it) -> it.leaseDuration(Duration.ofSeconds(-1))),
				refused("leaseDuration (9ms) must be at least 10ms",
						(it) -> it.leaseDuration(Duration.ofMillis(10).minusNanos(1))),
				refused("leaseDuration (31536000000ms) must be at most 365d", (it) -> it.leaseDuration(TOO_LONG)),
				refused("renewInterval (0s) must be greater than zero", (it) -> it.renewInterval(Duration.ZERO)),
				refused("renewInterval (-1ms) must not be negative", (it) -> it.renewInterval(Duration.ofMillis(-1))),
				refused("renewInterval (10s) must be shorter than leaseDuration (10s)",
						(it) -> it.renewInterval(Duration.ofSeconds(10))),
				refused("renewInterval (11s) must be shorter than leaseDuration (10s)",
						(it) -> it.renewInterval(Duration.ofSeconds(11))),
				refused("callTimeout (0s) must be greater than zero", (it) -> it.callTimeout(Duration.ZERO)),
				refused("callTimeout (-1s) must not be negative", (it) -> it.callTimeout(Duration.ofSeconds(-1))),
				refused("callTimeout (3334ms) must be at most a third of leaseDuration (10s)",
						(it) -> it.callTimeout(Duration.ofMillis(3334))),
				refused("clockDrift (-0.01) must be from 0 to below 0.5", (it) -> it.clockDrift(-0.01)),
				refused("clockDrift (0.5) must be from 0 to below 0.5", (it) -> it.clockDrift(0.5)),
				refused("clockDrift (NaN) must be from 0 to below 0.5", (it) -> it.clockDrift(Double.NaN)),
				refused("safetyMargin (-1s) must not be negative", (it) -> it.safetyMargin(Duration.ofSeconds(-1))),
				refused("drainTimeout (-1s) must not be negative", (it) -> it.drainTimeout(Duration.ofSeconds(-1))),
				refused("drainTimeout (31536000000ms) must be at most 365d", (it) -> it.drainTimeout(TOO_LONG)),
				refused("coldStartWait (-1s) must not be negative", (it) -> it.coldStartWait(Duration.ofSeconds(-1))),
				refused("transferGrace (0s) must be greater than zero", (it) -> it.transferGrace(Duration.ZERO)),
				refused("transferGrace (-1s) must not be negative", (it) -> it.transferGrace(Duration.ofSeconds(-1))),
				refused("renewInterval (8s) is too long: renewInterval (8s) and callTimeout (2s) together must be shorter "
						+ "than the validity of a lease, 9400ms, which is leaseDuration (10s) less clockDrift (0.01) and "
						+ "safetyMargin (500ms)", (it) -> it.renewInterval(Duration.ofSeconds(8))),
				refused("safetyMargin (8s) is too long: renewInterval (3s) and callTimeout (2s) together must be shorter "
						+ "than the validity of a lease, 1900ms, which is leaseDuration (10s) less clockDrift (0.01) and "
						+ "safetyMargin (8s)",
						(it) -> it.renewInterval(Duration.ofSeconds(3)).safetyMargin(Duration.ofSeconds(8))));
	}

	private static Arguments refused(String message, UnaryOperator<Builder> change) {
		return arguments(message, change);
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaseDuration", "drainTimeout", "coldStartWait" })
	void whatHasNoDefaultOfItsOwnMustNotBeNull(String setting) {
		Builder builder = ElectionSettings.builder();
		assertThatNullPointerException().isThrownBy(() -> {
			switch (setting) {
				case "leaseDuration" -> builder.leaseDuration(null);
				case "drainTimeout" -> builder.drainTimeout(null);
				default -> builder.coldStartWait(null);
			}
		}).withMessage(setting);
	}

	@Test
	void theShortestLeaseIsLongEnoughForAClockInMilliseconds() {
		ElectionSettings settings = ElectionSettings.ofLease(Duration.ofMillis(10));
		assertThat(settings.validity(settings.leaseDuration()))
			.isGreaterThan(settings.renewInterval().plus(settings.callTimeout()).plusMillis(2));
	}

	@Test
	void theLongestDurationsWorkTogether() {
		Duration year = Duration.ofDays(365);
		ElectionSettings settings = ElectionSettings.builder()
			.leaseDuration(year)
			.drainTimeout(year)
			.coldStartWait(year)
			.transferGrace(year)
			.build();
		assertThat(settings.validity(year)).isPositive().isLessThan(year);
	}

}
