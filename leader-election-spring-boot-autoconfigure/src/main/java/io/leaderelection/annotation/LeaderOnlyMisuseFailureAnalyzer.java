package io.leaderelection.annotation;

import java.util.Objects;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link LeaderOnlyMisuseException}.
 */
class LeaderOnlyMisuseFailureAnalyzer extends AbstractFailureAnalyzer<LeaderOnlyMisuseException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LeaderOnlyMisuseException cause) {
		return new FailureAnalysis(Objects.requireNonNull(cause.getMessage()), cause.getAction(), cause);
	}

}
