package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Names;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The settings of each election, from the properties and the customizers. Those that are
 * declared are checked at once.
 */
final class ConfiguredSettings {

	private final PropertySettings properties;

	private final List<ElectionSettingsCustomizer> customizers;

	private final List<String> declared;

	private final Map<String, ElectionSettings> settings = new ConcurrentHashMap<>();

	ConfiguredSettings(LeaderElectionProperties properties, List<ElectionSettingsCustomizer> customizers) {
		this.properties = new PropertySettings(properties);
		this.customizers = List.copyOf(customizers);
		this.declared = List.copyOf(properties.getElections().keySet());
		this.properties.global();
		this.declared.forEach(ConfiguredSettings::checkName);
		this.declared.forEach(this::of);
	}

	private static void checkName(String election) {
		try {
			Names.requireValid("The name of an election", election);
		}
		catch (IllegalArgumentException ex) {
			String property = PropertySettings.prefix(election);
			throw new InvalidConfigurationPropertyValueException(property.substring(0, property.length() - 1), election,
					ex.getMessage() + ".");
		}
	}

	/**
	 * The names of the elections in the properties.
	 * @return the names, in the order they are written
	 */
	List<String> declared() {
		return this.declared;
	}

	/**
	 * The settings of an election, declared or not.
	 * @param election the election's name
	 * @return its settings
	 */
	ElectionSettings of(String election) {
		return this.settings.computeIfAbsent(election, this::customized);
	}

	private ElectionSettings customized(String election) {
		ElectionSettings.Builder builder = this.properties.of(election);
		this.customizers.forEach((customizer) -> customizer.customize(election, builder));
		try {
			return builder.build();
		}
		catch (IllegalArgumentException ex) {
			if (this.customizers.isEmpty()) {
				throw ex;
			}
			throw new ConfigurationProblemException(
					"The settings of the election '%s' cannot work: %s. The properties alone could, but were changed by %s."
						.formatted(election, ex.getMessage(),
								this.customizers.stream().map((it) -> it.getClass().getName()).toList()),
					"Correct the ElectionSettingsCustomizer. What it does not set follows from the lease duration.",
					ex);
		}
	}

}
