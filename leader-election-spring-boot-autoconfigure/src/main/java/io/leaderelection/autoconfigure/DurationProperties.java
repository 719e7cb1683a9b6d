package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

import io.leaderelection.ElectionSettings;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * All that the properties say about the durations of one election. Refuses what
 * {@link ElectionSettings} would refuse, but by the names of the properties, and leases
 * that can only be meant otherwise.
 */
record DurationProperties(DurationProperty lease, DurationProperty renew, DurationProperty callTimeout,
		DurationProperty margin, DurationProperty drain, DurationProperty coldStart, DurationProperty grace,
		double clockDrift) {

	private static final String CLOCK_DRIFT = LeaderElectionProperties.PREFIX + ".clock-drift";

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	/**
	 * Checks that the durations can work together.
	 * @throws InvalidConfigurationPropertyValueException if they cannot
	 */
	void check() {
		Stream.of(this.lease, this.renew, this.callTimeout, this.grace).forEach(DurationProperty::requirePositive);
		Stream.of(this.margin, this.drain, this.coldStart).forEach(DurationProperty::requireNotNegative);
		if (!(this.clockDrift >= 0 && this.clockDrift < 0.5)) {
			throw new InvalidConfigurationPropertyValueException(CLOCK_DRIFT, this.clockDrift,
					"It must be from 0 to below 0.5.");
		}
		if (this.lease.value().compareTo(SHORTEST_LEASE) < 0) {
			throw this.lease.invalid(("%s must be at least %s. A number without a unit is read as milliseconds: "
					+ "write 10s for ten seconds.")
				.formatted(this.lease, DurationProperty.text(SHORTEST_LEASE)));
		}
		if (this.renew.value().compareTo(this.lease.value()) >= 0) {
			throw this.renew.invalid("%s must be shorter than %s.".formatted(this.renew, this.lease));
		}
		if (this.callTimeout.value().multipliedBy(3).compareTo(this.lease.value()) > 0) {
			throw this.callTimeout.invalid("%s must be at most a third of %s.".formatted(this.callTimeout, this.lease));
		}
		if (this.renew.value().plus(this.callTimeout.value()).compareTo(validity()) >= 0) {
			throw invalidTogether();
		}
	}

	private Duration validity() {
		return Duration.ofNanos((long) (this.lease.value().toNanos() * (1 - this.clockDrift)))
			.minus(this.margin.value());
	}

	private InvalidConfigurationPropertyValueException invalidTogether() {
		String reason = ("%s and %s together must be shorter than the time for which a leader may trust its lease: "
				+ "%s, which is %s less %s (%s) and %s.")
			.formatted(this.renew, this.callTimeout, DurationProperty.text(validity()), this.lease, CLOCK_DRIFT,
					this.clockDrift, this.margin);
		return Stream.of(this.margin, this.renew, this.callTimeout)
			.filter(DurationProperty::written)
			.max(Comparator.comparing(DurationProperty::value))
			.map((longest) -> longest.invalid(reason))
			.orElseGet(() -> new InvalidConfigurationPropertyValueException(CLOCK_DRIFT, this.clockDrift, reason));
	}

	ElectionSettings.Builder toBuilder() {
		ElectionSettings.Builder builder = ElectionSettings.builder()
			.leaseDuration(this.lease.value())
			.drainTimeout(this.drain.value())
			.coldStartWait(this.coldStart.value())
			.clockDrift(this.clockDrift);
		if (this.renew.written()) {
			builder.renewInterval(this.renew.value());
		}
		if (this.callTimeout.written()) {
			builder.callTimeout(this.callTimeout.value());
		}
		if (this.margin.written()) {
			builder.safetyMargin(this.margin.value());
		}
		if (this.grace.written()) {
			builder.transferGrace(this.grace.value());
		}
		return builder;
	}

}
