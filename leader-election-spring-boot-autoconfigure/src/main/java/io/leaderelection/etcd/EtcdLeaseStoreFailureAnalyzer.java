package io.leaderelection.etcd;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains an {@link EtcdLeaseStoreException} that ended a start.
 */
class EtcdLeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<EtcdLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, EtcdLeaseStoreException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
