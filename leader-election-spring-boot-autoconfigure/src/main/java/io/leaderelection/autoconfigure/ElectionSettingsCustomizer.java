package io.leaderelection.autoconfigure;

import io.leaderelection.ElectionSettings;

/**
 * Changes the settings of an election after the configuration properties have been
 * applied. Called once for each election, declared or made later by name.
 */
@FunctionalInterface
public interface ElectionSettingsCustomizer {

	/**
	 * Changes the settings. What the properties leave out is not set in the builder, and
	 * follows from the lease duration that it has in the end.
	 * @param election the election's name
	 * @param settings its settings so far
	 */
	void customize(String election, ElectionSettings.Builder settings);

}
