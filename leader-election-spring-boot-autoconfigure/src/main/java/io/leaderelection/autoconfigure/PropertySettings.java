package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.regex.Pattern;

import io.leaderelection.ElectionSettings;
import io.leaderelection.autoconfigure.LeaderElectionProperties.Election;
import org.jspecify.annotations.Nullable;

/**
 * The settings that the configuration properties give an election, as
 * {@link LeaderElectionProperties} describes it.
 */
final class PropertySettings {

	private static final String GLOBAL = LeaderElectionProperties.PREFIX + ".";

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9-]+");

	private final LeaderElectionProperties properties;

	PropertySettings(LeaderElectionProperties properties) {
		this.properties = properties;
	}

	/**
	 * The settings of an election, declared or not.
	 * @param election the election's name
	 * @return a builder in which everything is set that is written in the properties
	 */
	ElectionSettings.Builder of(String election) {
		DurationProperties durations = durations(election);
		durations.check();
		return durations.toBuilder();
	}

	/**
	 * The settings of elections that are not declared.
	 * @return a builder as of {@link #of}
	 */
	ElectionSettings.Builder global() {
		return of("");
	}

	private DurationProperties durations(String election) {
		LeaderElectionProperties all = this.properties;
		Election own = all.getElections().getOrDefault(election, new Election());
		String prefix = prefix(election);
		DurationProperty lease = property(prefix, "lease-duration", own.getLeaseDuration(), all.getLeaseDuration());
		// a part of the global lease says nothing about a lease of the election's own
		boolean ownLease = own.getLeaseDuration() != null;
		return new DurationProperties(lease,
				part(prefix, "renew-interval", own.getRenewInterval(), ownLease ? null : all.getRenewInterval(), lease,
						3),
				part(prefix, "call-timeout", own.getCallTimeout(), ownLease ? null : all.getCallTimeout(), lease, 5),
				part(prefix, "safety-margin", own.getSafetyMargin(), ownLease ? null : all.getSafetyMargin(), lease,
						20),
				property(prefix, "drain-timeout", own.getDrainTimeout(), all.getDrainTimeout()),
				property(prefix, "cold-start-wait", own.getColdStartWait(), all.getColdStartWait()), part(prefix,
						"transfer-grace", own.getTransferGrace(), ownLease ? null : all.getTransferGrace(), lease, 3),
				all.getClockDrift());
	}

	private static DurationProperty property(String prefix, String name, @Nullable Duration own, Duration global) {
		return (own != null) ? new DurationProperty(prefix + name, own, true)
				: new DurationProperty(GLOBAL + name, global, true);
	}

	private static DurationProperty part(String prefix, String name, @Nullable Duration own, @Nullable Duration global,
			DurationProperty lease, int divisor) {
		if (own != null || global != null) {
			return property(prefix, name, own, (global != null) ? global : Duration.ZERO);
		}
		String derived = lease.name().startsWith(prefix) ? prefix + name : GLOBAL + name;
		return new DurationProperty(derived, lease.value().dividedBy(divisor), false);
	}

	/**
	 * What stands before the properties of an election.
	 * @param election the election's name
	 * @return the prefix, with the dot at its end
	 */
	static String prefix(String election) {
		String name = PLAIN_NAME.matcher(election).matches() ? "." + election : "[" + election + "]";
		return GLOBAL + "elections" + name + ".";
	}

}
