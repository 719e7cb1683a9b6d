package io.leaderelection.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ChangedPropertyException}.
 */
class ChangedPropertyFailureAnalyzer extends AbstractFailureAnalyzer<ChangedPropertyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ChangedPropertyException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.getAction(), cause);
	}

}
