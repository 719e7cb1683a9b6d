package io.leaderelection.autoconfigure;

import java.util.List;

/**
 * The settings of an election cannot work together once the customizers have changed
 * them.
 */
class CustomizedSettingsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	CustomizedSettingsException(String election, List<ElectionSettingsCustomizer> customizers,
			IllegalArgumentException cause) {
		super("The settings of the election '%s' cannot work: %s. The properties alone could, but were changed by %s"
			.formatted(election, cause.getMessage(), names(customizers)), cause);
	}

	private static List<String> names(List<ElectionSettingsCustomizer> customizers) {
		return customizers.stream().map((customizer) -> customizer.getClass().getName()).toList();
	}

}
