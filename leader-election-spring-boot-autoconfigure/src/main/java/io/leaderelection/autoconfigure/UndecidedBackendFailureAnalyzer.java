package io.leaderelection.autoconfigure;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link UndecidedBackendException}.
 */
class UndecidedBackendFailureAnalyzer extends AbstractFailureAnalyzer<UndecidedBackendException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UndecidedBackendException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
