package io.leaderelection.dynamodb;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link DynamoDbLeaseStoreException} that ended a start.
 */
class DynamoDbLeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<DynamoDbLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DynamoDbLeaseStoreException cause) {
		String message = String.valueOf(cause.getMessage());
		String problem = message.substring(0, message.length() - cause.getAction().length()).trim();
		return new FailureAnalysis(problem, cause.getAction() + ".", cause);
	}

}
