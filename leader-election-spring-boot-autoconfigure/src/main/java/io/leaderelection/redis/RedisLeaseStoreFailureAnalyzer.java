package io.leaderelection.redis;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link RedisLeaseStoreException} that ended a start: elections ask Redis
 * only once the application is ready, but others may ask before, such as runners.
 */
class RedisLeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<RedisLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RedisLeaseStoreException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
