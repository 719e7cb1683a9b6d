package io.leaderelection.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The application cannot start with its configuration.
 */
class ConfigurationProblemException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	ConfigurationProblemException(String description, String action) {
		this(description, action, null);
	}

	ConfigurationProblemException(String description, String action, @Nullable Throwable cause) {
		super(description, cause);
		this.action = action;
	}

	String getAction() {
		return this.action;
	}

}
