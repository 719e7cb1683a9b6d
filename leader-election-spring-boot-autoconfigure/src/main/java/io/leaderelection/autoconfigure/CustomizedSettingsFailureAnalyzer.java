package io.leaderelection.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link CustomizedSettingsException}.
 */
class CustomizedSettingsFailureAnalyzer extends AbstractFailureAnalyzer<CustomizedSettingsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, CustomizedSettingsException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Correct the ElectionSettingsCustomizer. What it does not set follows from the lease duration.", cause);
	}

}
