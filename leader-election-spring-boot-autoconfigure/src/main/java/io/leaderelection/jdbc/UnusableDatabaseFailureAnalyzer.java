package io.leaderelection.jdbc;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link UnusableDatabaseException}.
 */
class UnusableDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<UnusableDatabaseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnusableDatabaseException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
