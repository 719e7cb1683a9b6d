package io.leaderelection.autoconfigure;

import io.leaderelection.store.ExplainedLeaseStoreException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * Explains what the store said that ended a start. Elections ask it only once the
 * application is ready, but others may ask before, such as checks and runners.
 */
class LeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<ExplainedLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ExplainedLeaseStoreException cause) {
		return new FailureAnalysis(sentence(cause.getProblem()), StringUtils.capitalize(sentence(cause.getAction())),
				cause);
	}

	private static String sentence(String text) {
		return text.endsWith(".") ? text : text + ".";
	}

}
