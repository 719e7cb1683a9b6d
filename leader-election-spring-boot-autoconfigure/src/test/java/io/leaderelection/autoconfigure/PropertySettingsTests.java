package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.function.Consumer;

import io.leaderelection.ElectionSettings;
import io.leaderelection.autoconfigure.LeaderElectionProperties.Election;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which settings an election gets from the properties, and which are refused.
 */
class PropertySettingsTests {

	private final LeaderElectionProperties properties = new LeaderElectionProperties();

	private final PropertySettings settings = new PropertySettings(this.properties);

	@Test
	void thePropertiesHaveTheDefaultsOfTheSettings() {
		assertThat(this.settings.global().build()).isEqualTo(ElectionSettings.defaults());
	}

	@Test
	void whatFollowsFromTheLeaseFollowsFromTheElectionsOwnLease() {
		this.properties.setRenewInterval(Duration.ofSeconds(1));
		this.properties.setCallTimeout(Duration.ofSeconds(1));
		this.properties.setSafetyMargin(Duration.ofSeconds(1));
		this.properties.setTransferGrace(Duration.ofSeconds(1));
		declare("reports", (own) -> own.setLeaseDuration(Duration.ofSeconds(60)));
		assertThat(this.settings.of("reports").build()).isEqualTo(ElectionSettings.ofLease(Duration.ofSeconds(60)));
	}

	@Test
	void withoutALeaseOfItsOwnAnElectionTakesTheGlobalParts() {
		this.properties.setLeaseDuration(Duration.ofSeconds(20));
		this.properties.setRenewInterval(Duration.ofSeconds(1));
		this.properties.setCallTimeout(Duration.ofSeconds(2));
		this.properties.setSafetyMargin(Duration.ofSeconds(3));
		this.properties.setTransferGrace(Duration.ofSeconds(4));
		declare("reports", (own) -> own.setCallTimeout(Duration.ofSeconds(5)));
		ElectionSettings built = this.settings.of("reports").build();
		assertThat(built).isEqualTo(ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(20))
			.renewInterval(Duration.ofSeconds(1))
			.callTimeout(Duration.ofSeconds(5))
			.safetyMargin(Duration.ofSeconds(3))
			.transferGrace(Duration.ofSeconds(4))
			.build());
	}

	@Test
	void whatHasNothingToDoWithTheLeaseIsGlobalUnlessOverridden() {
		this.properties.setDrainTimeout(Duration.ofSeconds(7));
		this.properties.setColdStartWait(Duration.ofSeconds(8));
		this.properties.setClockDrift(0.02);
		declare("reports", (own) -> own.setLeaseDuration(Duration.ofSeconds(5)));
		declare("mails", (own) -> {
			own.setDrainTimeout(Duration.ofSeconds(1));
			own.setColdStartWait(Duration.ofSeconds(2));
		});
		ElectionSettings reports = this.settings.of("reports").build();
		assertThat(reports.drainTimeout()).isEqualTo(Duration.ofSeconds(7));
		assertThat(reports.coldStartWait()).isEqualTo(Duration.ofSeconds(8));
		assertThat(reports.clockDrift()).isEqualTo(0.02);
		ElectionSettings mails = this.settings.of("mails").build();
		assertThat(mails.drainTimeout()).isEqualTo(Duration.ofSeconds(1));
		assertThat(mails.coldStartWait()).isEqualTo(Duration.ofSeconds(2));
	}

	@Test
	void everyOverrideReachesItsSetting() {
		declare("reports", (own) -> {
			own.setLeaseDuration(Duration.ofSeconds(30));
			own.setRenewInterval(Duration.ofSeconds(2));
			own.setCallTimeout(Duration.ofSeconds(3));
			own.setSafetyMargin(Duration.ofSeconds(4));
			own.setDrainTimeout(Duration.ofSeconds(5));
			own.setColdStartWait(Duration.ofSeconds(6));
			own.setTransferGrace(Duration.ofSeconds(7));
		});
		assertThat(this.settings.of("reports").build()).isEqualTo(ElectionSettings.builder()
			.leaseDuration(Duration.ofSeconds(30))
			.renewInterval(Duration.ofSeconds(2))
			.callTimeout(Duration.ofSeconds(3))
			.safetyMargin(Duration.ofSeconds(4))
			.drainTimeout(Duration.ofSeconds(5))
			.coldStartWait(Duration.ofSeconds(6))
			.transferGrace(Duration.ofSeconds(7))
			.build());
	}

	@Test
	void aRenewIntervalAsLongAsTheLeaseIsRefused() {
		declare("reports", (own) -> {
			own.setLeaseDuration(Duration.ofSeconds(10));
			own.setRenewInterval(Duration.ofSeconds(10));
		});
		assertRefused("reports", "leader-election.elections.reports.renew-interval",
				"leader-election.elections.reports.renew-interval (10s) must be shorter than "
						+ "leader-election.elections.reports.lease-duration (10s).");
	}

	@Test
	void theMessageNamesThePropertyThatTheValueComesFrom() {
		this.properties.setLeaseDuration(Duration.ofMillis(1500));
		declare("reports", (own) -> own.setCallTimeout(Duration.ofSeconds(1)));
		assertRefused("reports", "leader-election.elections.reports.call-timeout",
				"leader-election.elections.reports.call-timeout (1s) must be at most a third of "
						+ "leader-election.lease-duration (1500ms).");
	}

	@Test
	void aMarginThatLeavesTooLittleOfTheLeaseIsRefused() {
		this.properties.setSafetyMargin(Duration.ofSeconds(8));
		assertRefused("", "leader-election.safety-margin",
				"leader-election.safety-margin (8s) is too long: leader-election.renew-interval (3333ms) and "
						+ "leader-election.call-timeout (2s) together must be shorter than the validity of a lease, "
						+ "1900ms, which is leader-election.lease-duration (10s) less leader-election.clock-drift "
						+ "(0.01) and leader-election.safety-margin (8s).");
	}

	@Test
	void aDriftThatLeavesTooLittleOfTheLeaseIsRefused() {
		this.properties.setClockDrift(0.45);
		assertRefused("", "leader-election.renew-interval", "less leader-election.clock-drift (0.45)");
	}

	@Test
	void valuesThatMakeNoSenseByThemselvesAreRefused() {
		this.properties.setClockDrift(0.5);
		assertRefused("", "leader-election.clock-drift", "must be from 0 to below 0.5.");
		this.properties.setClockDrift(0);
		this.properties.setDrainTimeout(Duration.ofSeconds(-1));
		assertRefused("", "leader-election.drain-timeout", "must not be negative.");
		this.properties.setDrainTimeout(Duration.ofDays(366));
		assertRefused("", "leader-election.drain-timeout", "must be at most 365d.");
		this.properties.setDrainTimeout(Duration.ZERO);
		this.properties.setRenewInterval(Duration.ZERO);
		assertRefused("", "leader-election.renew-interval", "must be greater than zero.");
		declare("a/b", (own) -> own.setTransferGrace(Duration.ZERO));
		this.properties.setRenewInterval(null);
		assertRefused("a/b", "leader-election.elections[a/b].transfer-grace", "must be greater than zero.");
	}

	@Test
	void aLeaseOfMillisecondsIsTakenForAMissingUnit() {
		this.properties.setLeaseDuration(Duration.ofMillis(10));
		assertRefused("", "leader-election.lease-duration",
				"It must be at least 100ms. A number without a unit is read as milliseconds: write 10s for ten seconds.");
	}

	private void assertRefused(String election, String property, String reason) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> this.settings.of(election))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo(property);
				assertThat(ex.getReason()).contains(reason);
			});
	}

	private void declare(String election, Consumer<Election> own) {
		Election declared = new Election();
		own.accept(declared);
		this.properties.getElections().put(election, declared);
	}

}
