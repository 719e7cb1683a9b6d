package io.leaderelection.autoconfigure;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.ElectionSettings;
import io.leaderelection.ElectionSettings.InvalidSettingException;
import io.leaderelection.autoconfigure.LeaderElectionProperties.Election;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The settings that the configuration properties give an election, as
 * {@link LeaderElectionProperties} describes it.
 */
final class PropertySettings {

	private static final String GLOBAL = LeaderElectionProperties.PREFIX + ".";

	private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9-]+");

	private static final Pattern SETTING = Pattern.compile(
			"\\b(leaseDuration|renewInterval|callTimeout|safetyMargin|transferGrace|drainTimeout|coldStartWait|clockDrift)\\b");

	private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

	private final LeaderElectionProperties properties;

	PropertySettings(LeaderElectionProperties properties) {
		this.properties = properties;
	}

	/**
	 * The settings of an election, declared or not. What follows from a lease follows
	 * from the election's own lease if it has one.
	 * @param election the election's name
	 * @return a builder in which everything is set that is written in the properties
	 */
	ElectionSettings.Builder of(String election) {
		LeaderElectionProperties all = this.properties;
		Election own = all.getElections().getOrDefault(election, new Election());
		boolean ownLease = own.getLeaseDuration() != null;
		ElectionSettings.Builder builder = ElectionSettings.builder()
			.leaseDuration(first(own.getLeaseDuration(), all.getLeaseDuration()))
			.renewInterval(part(own.getRenewInterval(), all.getRenewInterval(), ownLease))
			.callTimeout(part(own.getCallTimeout(), all.getCallTimeout(), ownLease))
			.safetyMargin(part(own.getSafetyMargin(), all.getSafetyMargin(), ownLease))
			.drainTimeout(first(own.getDrainTimeout(), all.getDrainTimeout()))
			.coldStartWait(first(own.getColdStartWait(), all.getColdStartWait()))
			.transferGrace(part(own.getTransferGrace(), all.getTransferGrace(), ownLease))
			.clockDrift(all.getClockDrift());
		check(builder, first(own.getLeaseDuration(), all.getLeaseDuration()),
				(setting) -> property(setting, election, own));
		return builder;
	}

	private static Duration first(@Nullable Duration own, Duration global) {
		return (own != null) ? own : global;
	}

	private static @Nullable Duration part(@Nullable Duration own, @Nullable Duration global, boolean ownLease) {
		return (own != null || ownLease) ? own : global;
	}

	/**
	 * The settings of elections that are not declared.
	 * @return a builder as of {@link #of}
	 */
	ElectionSettings.Builder global() {
		return of("");
	}

	/** Names properties instead of settings. */
	private static void check(ElectionSettings.Builder builder, Duration lease, UnaryOperator<String> property) {
		if (!lease.isZero() && !lease.isNegative() && lease.compareTo(SHORTEST_LEASE) < 0) {
			throw new InvalidConfigurationPropertyValueException(property.apply("leaseDuration"),
					lease.toMillis() + "ms",
					"It must be at least %dms. A number without a unit is read as milliseconds: write 10s for ten seconds."
						.formatted(SHORTEST_LEASE.toMillis()));
		}
		try {
			builder.build();
		}
		catch (InvalidSettingException ex) {
			String reason = SETTING.matcher(String.valueOf(ex.getMessage()))
				.replaceAll((setting) -> Matcher.quoteReplacement(property.apply(setting.group())));
			throw new InvalidConfigurationPropertyValueException(property.apply(ex.getSetting()), ex.getValue(),
					reason + ".");
		}
	}

	/** The property that a setting comes from, or would come from. */
	private static String property(String setting, String election, Election own) {
		boolean ownLease = own.getLeaseDuration() != null;
		boolean isOwn = switch (setting) {
			case "leaseDuration" -> ownLease;
			case "renewInterval" -> ownLease || own.getRenewInterval() != null;
			case "callTimeout" -> ownLease || own.getCallTimeout() != null;
			case "safetyMargin" -> ownLease || own.getSafetyMargin() != null;
			case "transferGrace" -> ownLease || own.getTransferGrace() != null;
			case "drainTimeout" -> own.getDrainTimeout() != null;
			case "coldStartWait" -> own.getColdStartWait() != null;
			default -> false;
		};
		return (isOwn ? prefix(election) : GLOBAL) + DataObjectPropertyName.toDashedForm(setting);
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
