package io.leaderelection.autoconfigure;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ConfigurationProblemException}.
 */
class ConfigurationProblemFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationProblemException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationProblemException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
