package io.leaderelection;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The durations of an election. Whatever is not set follows from the lease duration;
 * durations that cannot work together are refused, by name.
 */
public final class ElectionSettings {

	/** Less cannot be told by a wall clock in milliseconds. */
	private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);

	private static final Duration LONGEST = Duration.ofDays(365);

	private static final List<Map.Entry<Character, Long>> UNITS = List.of(Map.entry('d', 86_400_000L),
			Map.entry('h', 3_600_000L), Map.entry('m', 60_000L), Map.entry('s', 1_000L));

	private final Settings settings;

	private ElectionSettings(Settings settings) {
		this.settings = settings;
	}

	/**
	 * Settings for a lease of 10 seconds.
	 * @return the settings
	 */
	public static ElectionSettings defaults() {
		return builder().build();
	}

	/**
	 * Settings that all follow from the lease duration.
	 * @param leaseDuration how long a lease lasts
	 * @return the settings
	 */
	public static ElectionSettings ofLease(Duration leaseDuration) {
		return builder().leaseDuration(leaseDuration).build();
	}

	/**
	 * Settings one by one.
	 * @return a builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * How long a lease lasts in the store without renewal: the time until a crashed
	 * leader is replaced.
	 * @return the duration
	 */
	public Duration leaseDuration() {
		return this.settings.leaseDuration();
	}

	/**
	 * How often the leader renews.
	 * @return the interval
	 */
	public Duration renewInterval() {
		return this.settings.renewInterval();
	}

	/**
	 * How long one call to the store may take, at most a third of the lease.
	 * @return the timeout
	 */
	public Duration callTimeout() {
		return this.settings.callTimeout();
	}

	/**
	 * The fraction by which the rates of two clocks may differ.
	 * @return the fraction
	 */
	public double clockDrift() {
		return this.settings.clockDrift();
	}

	/**
	 * How long before the end of the lease the leader stops calling itself leader: the
	 * time that callbacks have when the store is unreachable.
	 * @return the margin
	 */
	public Duration safetyMargin() {
		return this.settings.safetyMargin();
	}

	/**
	 * How long a leader that steps down waits for its work and callbacks.
	 * @return the timeout
	 */
	public Duration drainTimeout() {
		return this.settings.drainTimeout();
	}

	/**
	 * How long a node that has never seen the election's record waits before it creates
	 * it.
	 * @return the wait
	 */
	public Duration coldStartWait() {
		return this.settings.coldStartWait();
	}

	/**
	 * How long a transferred lease is reserved for its target.
	 * @return the grace time
	 */
	public Duration transferGrace() {
		return this.settings.transferGrace();
	}

	/**
	 * How long the holder of a lease may call itself leader, counted from before the
	 * request that brought the lease was sent.
	 * @param lease how long the store keeps the lease
	 * @return the lease, less the drift and the margin
	 */
	public Duration validity(Duration lease) {
		return validity(lease, clockDrift(), safetyMargin());
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ElectionSettings that && this.settings.equals(that.settings);
	}

	@Override
	public int hashCode() {
		return this.settings.hashCode();
	}

	@Override
	public String toString() {
		return this.settings.toString();
	}

	private static Duration validity(Duration lease, double clockDrift, Duration safetyMargin) {
		return Duration.ofNanos((long) (lease.toNanos() * (1 - clockDrift))).minus(safetyMargin);
	}

	private static void requirePositive(String name, Duration value) {
		requireNotNegative(name, value);
		if (value.isZero()) {
			throw new InvalidSettingException(name, value, "must be greater than zero");
		}
	}

	private static void requireNotNegative(String name, Duration value) {
		Objects.requireNonNull(value, name);
		if (value.isNegative()) {
			throw new InvalidSettingException(name, value, "must not be negative");
		}
		if (value.compareTo(LONGEST) > 0) {
			throw new InvalidSettingException(name, value, "must be at most " + text(LONGEST));
		}
	}

	/**
	 * As in a property: the largest unit that needs no fraction, at least milliseconds.
	 */
	private static String text(Duration duration) {
		long millis = duration.toMillis();
		if (!Duration.ofMillis(millis).equals(duration)) {
			return millis + "ms";
		}
		for (Map.Entry<Character, Long> unit : UNITS) {
			if (millis != 0 && millis % unit.getValue() == 0) {
				return "%d%s".formatted(millis / unit.getValue(), unit.getKey());
			}
		}
		return (millis == 0) ? "0s" : millis + "ms";
	}

	/**
	 * The settings, checked.
	 */
	private record Settings(Duration leaseDuration, Duration renewInterval, Duration callTimeout, double clockDrift,
			Duration safetyMargin, Duration drainTimeout, Duration coldStartWait, Duration transferGrace) {

		Settings {
			requirePositive("leaseDuration", leaseDuration);
			if (leaseDuration.compareTo(SHORTEST_LEASE) < 0) {
				throw new InvalidSettingException("leaseDuration", leaseDuration,
						"must be at least " + text(SHORTEST_LEASE));
			}
			requirePositive("renewInterval", renewInterval);
			requirePositive("callTimeout", callTimeout);
			requirePositive("transferGrace", transferGrace);
			requireNotNegative("safetyMargin", safetyMargin);
			requireNotNegative("drainTimeout", drainTimeout);
			requireNotNegative("coldStartWait", coldStartWait);
			if (!(clockDrift >= 0 && clockDrift < 0.5)) {
				throw new InvalidSettingException("clockDrift", clockDrift, "must be from 0 to below 0.5");
			}
			if (renewInterval.compareTo(leaseDuration) >= 0) {
				throw new InvalidSettingException("renewInterval", renewInterval,
						"must be shorter than leaseDuration (%s)".formatted(text(leaseDuration)));
			}
			if (callTimeout.multipliedBy(3).compareTo(leaseDuration) > 0) {
				throw new InvalidSettingException("callTimeout", callTimeout,
						"must be at most a third of leaseDuration (%s)".formatted(text(leaseDuration)));
			}
			Duration validity = validity(leaseDuration, clockDrift, safetyMargin);
			if (renewInterval.plus(callTimeout).compareTo(validity) >= 0) {
				boolean margin = safetyMargin.compareTo(renewInterval) > 0;
				throw new InvalidSettingException(margin ? "safetyMargin" : "renewInterval",
						margin ? safetyMargin : renewInterval,
						("is too long: renewInterval (%s) and callTimeout (%s) together must be shorter than the validity "
								+ "of a lease, %s, which is leaseDuration (%s) less clockDrift (%s) and safetyMargin (%s)")
							.formatted(text(renewInterval), text(callTimeout), text(validity), text(leaseDuration),
									clockDrift, text(safetyMargin)));
			}
		}

	}

	/**
	 * A setting is out of range, or does not fit to another one.
	 */
	public static final class InvalidSettingException extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		private final String setting;

		private final String value;

		InvalidSettingException(String setting, Object value, String problem) {
			this(setting, (value instanceof Duration duration) ? text(duration) : value.toString(), problem);
		}

		private InvalidSettingException(String setting, String value, String problem) {
			super("%s (%s) %s".formatted(setting, value, problem));
			this.setting = setting;
			this.value = value;
		}

		/**
		 * The setting to change.
		 * @return the name of its method in the builder
		 */
		public String getSetting() {
			return this.setting;
		}

		/**
		 * The value that was read or derived.
		 * @return the value, as it is written in a property
		 */
		public String getValue() {
			return this.value;
		}

	}

	/**
	 * Builds settings; what is not set follows from the lease duration.
	 */
	public static final class Builder {

		private Duration leaseDuration = Duration.ofSeconds(10);

		private @Nullable Duration renewInterval;

		private @Nullable Duration callTimeout;

		private double clockDrift = 0.01;

		private @Nullable Duration safetyMargin;

		private Duration drainTimeout = Duration.ofSeconds(20);

		private Duration coldStartWait = Duration.ZERO;

		private @Nullable Duration transferGrace;

		private Builder() {
		}

		/**
		 * Sets how long a lease lasts. Default: 10 seconds.
		 * @param leaseDuration the duration
		 * @return this
		 */
		public Builder leaseDuration(Duration leaseDuration) {
			this.leaseDuration = Objects.requireNonNull(leaseDuration, "leaseDuration");
			return this;
		}

		/**
		 * Sets how often the leader renews. Default: a third of the lease.
		 * @param renewInterval the interval
		 * @return this
		 */
		public Builder renewInterval(@Nullable Duration renewInterval) {
			this.renewInterval = renewInterval;
			return this;
		}

		/**
		 * Sets how long one call to the store may take. Default: a fifth of the lease.
		 * @param callTimeout the timeout
		 * @return this
		 */
		public Builder callTimeout(@Nullable Duration callTimeout) {
			this.callTimeout = callTimeout;
			return this;
		}

		/**
		 * Sets by which part the rates of two clocks may differ. Default: 0.01.
		 * @param clockDrift the part
		 * @return this
		 */
		public Builder clockDrift(double clockDrift) {
			this.clockDrift = clockDrift;
			return this;
		}

		/**
		 * Sets how long before the end of the lease leadership ends. Default: a twentieth
		 * of the lease.
		 * @param safetyMargin the margin
		 * @return this
		 */
		public Builder safetyMargin(@Nullable Duration safetyMargin) {
			this.safetyMargin = safetyMargin;
			return this;
		}

		/**
		 * Sets how long a step-down waits for work and callbacks. Default: 20 seconds.
		 * @param drainTimeout the timeout
		 * @return this
		 */
		public Builder drainTimeout(Duration drainTimeout) {
			this.drainTimeout = Objects.requireNonNull(drainTimeout, "drainTimeout");
			return this;
		}

		/**
		 * Sets how long a new node waits on an empty store. Default: not at all.
		 * @param coldStartWait the wait
		 * @return this
		 */
		public Builder coldStartWait(Duration coldStartWait) {
			this.coldStartWait = Objects.requireNonNull(coldStartWait, "coldStartWait");
			return this;
		}

		/**
		 * Sets how long a transferred lease is reserved. Default: the renew interval.
		 * @param transferGrace the grace time
		 * @return this
		 */
		public Builder transferGrace(@Nullable Duration transferGrace) {
			this.transferGrace = transferGrace;
			return this;
		}

		/**
		 * Builds the settings.
		 * @return the settings
		 * @throws InvalidSettingException if they cannot work together
		 */
		public ElectionSettings build() {
			requirePositive("leaseDuration", this.leaseDuration);
			Duration renew = (this.renewInterval != null) ? this.renewInterval : this.leaseDuration.dividedBy(3);
			Duration timeout = (this.callTimeout != null) ? this.callTimeout : this.leaseDuration.dividedBy(5);
			Duration margin = (this.safetyMargin != null) ? this.safetyMargin : this.leaseDuration.dividedBy(20);
			Duration grace = (this.transferGrace != null) ? this.transferGrace : renew;
			return new ElectionSettings(new Settings(this.leaseDuration, renew, timeout, this.clockDrift, margin,
					this.drainTimeout, this.coldStartWait, grace));
		}

	}

}
