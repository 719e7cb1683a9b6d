package io.leaderelection.web;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link FollowedRedirectsException}.
 */
class FollowedRedirectsFailureAnalyzer extends AbstractFailureAnalyzer<FollowedRedirectsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, FollowedRedirectsException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
