package io.leaderelection.kubernetes;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link KubernetesLeaseStoreException} that ended a start.
 */
class KubernetesLeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<KubernetesLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, KubernetesLeaseStoreException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
