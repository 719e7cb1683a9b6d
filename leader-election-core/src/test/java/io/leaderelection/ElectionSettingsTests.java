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
		assertThat(settings)
			.isEqualTo(new ElectionSettings(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(4), 0.02,
					Duration.ofSeconds(2), Duration.ZERO, Duration.ofSeconds(31), Duration.ofSeconds(7)));
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
		return Stream.of(refused("leaseDuration must be greater than zero", (it) -> it.leaseDuration(Duration.ZERO)),
				refused("leaseDuration must not be negative, but is PT-1S",
						(it) -> it.leaseDuration(Duration.ofSeconds(-1))),
				refused("leaseDuration must be at least PT0.01S, but is PT0.009999999S",
						(it) -> it.leaseDuration(Duration.ofMillis(10).minusNanos(1))),
				refused("leaseDuration must be at most PT8760H, but is PT8760H0.000000001S",
						(it) -> it.leaseDuration(TOO_LONG)),
				refused("renewInterval must be greater than zero", (it) -> it.renewInterval(Duration.ZERO)),
				refused("renewInterval must not be negative, but is PT-0.001S",
						(it) -> it.renewInterval(Duration.ofMillis(-1))),
				refused("renewInterval (PT10S) must be shorter than leaseDuration (PT10S)",
						(it) -> it.renewInterval(Duration.ofSeconds(10))),
				refused("renewInterval (PT11S) must be shorter than leaseDuration (PT10S)",
						(it) -> it.renewInterval(Duration.ofSeconds(11))),
				refused("callTimeout must be greater than zero", (it) -> it.callTimeout(Duration.ZERO)),
				refused("callTimeout must not be negative, but is PT-1S",
						(it) -> it.callTimeout(Duration.ofSeconds(-1))),
				refused("callTimeout (PT3.334S) must be at most a third of leaseDuration (PT10S)",
						(it) -> it.callTimeout(Duration.ofMillis(3334))),
				refused("clockDrift must be from 0 to below 0.5, but is -0.01", (it) -> it.clockDrift(-0.01)),
				refused("clockDrift must be from 0 to below 0.5, but is 0.5", (it) -> it.clockDrift(0.5)),
				refused("clockDrift must be from 0 to below 0.5, but is NaN", (it) -> it.clockDrift(Double.NaN)),
				refused("safetyMargin must not be negative, but is PT-1S",
						(it) -> it.safetyMargin(Duration.ofSeconds(-1))),
				refused("drainTimeout must not be negative, but is PT-1S",
						(it) -> it.drainTimeout(Duration.ofSeconds(-1))),
				refused("drainTimeout must be at most PT8760H, but is PT8760H0.000000001S",
						(it) -> it.drainTimeout(TOO_LONG)),
				refused("coldStartWait must not be negative, but is PT-1S",
						(it) -> it.coldStartWait(Duration.ofSeconds(-1))),
				refused("transferGrace must be greater than zero", (it) -> it.transferGrace(Duration.ZERO)),
				refused("transferGrace must not be negative, but is PT-1S",
						(it) -> it.transferGrace(Duration.ofSeconds(-1))),
				refused("renewInterval (PT8S) and callTimeout (PT2S) together must be shorter than the validity of a "
						+ "lease (PT9.4S = leaseDuration PT10S less clockDrift 0.01 and safetyMargin PT0.5S)",
						(it) -> it.renewInterval(Duration.ofSeconds(8))),
				refused("renewInterval (PT3S) and callTimeout (PT2S) together must be shorter than the validity of a "
						+ "lease (PT1.9S = leaseDuration PT10S less clockDrift 0.01 and safetyMargin PT8S)",
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
