package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * A duration and the property that it comes from.
 *
 * @param name the property
 * @param value its value
 * @param written whether the value is one to be set, rather than one that follows from
 * the lease duration
 */
record DurationProperty(String name, Duration value, boolean written) {

	private static final Duration LONGEST = Duration.ofDays(365);

	void requirePositive() {
		if (this.value.isZero() || this.value.isNegative()) {
			throw invalid("It must be greater than zero.");
		}
		requireNotTooLong();
	}

	void requireNotNegative() {
		if (this.value.isNegative()) {
			throw invalid("It must not be negative.");
		}
		requireNotTooLong();
	}

	private void requireNotTooLong() {
		if (this.value.compareTo(LONGEST) > 0) {
			throw invalid("It must be at most %s.".formatted(text(LONGEST)));
		}
	}

	InvalidConfigurationPropertyValueException invalid(String reason) {
		return new InvalidConfigurationPropertyValueException(this.name, text(this.value), reason);
	}

	@Override
	public String toString() {
		return this.written ? "%s (%s)".formatted(this.name, text(this.value))
				: "%s (%s by default)".formatted(this.name, text(this.value));
	}

	/**
	 * A duration as one would write it in a property.
	 * @param duration the duration
	 * @return a number and the largest unit that needs no fraction, milliseconds at the
	 * least
	 */
	static String text(Duration duration) {
		long millis = duration.toMillis();
		for (Unit unit : Unit.values()) {
			if (millis != 0 && millis % unit.millis == 0) {
				return millis / unit.millis + unit.name().toLowerCase(Locale.ROOT);
			}
		}
		return "0s";
	}

	private enum Unit {

		D(TimeUnit.DAYS), H(TimeUnit.HOURS), M(TimeUnit.MINUTES), S(TimeUnit.SECONDS), MS(TimeUnit.MILLISECONDS);

		private final long millis;

		Unit(TimeUnit unit) {
			this.millis = unit.toMillis(1);
		}

	}

}
