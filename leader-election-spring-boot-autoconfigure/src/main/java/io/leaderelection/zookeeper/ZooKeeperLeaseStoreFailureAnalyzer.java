package io.leaderelection.zookeeper;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains a {@link ZooKeeperLeaseStoreException} that ended a start.
 */
class ZooKeeperLeaseStoreFailureAnalyzer extends AbstractFailureAnalyzer<ZooKeeperLeaseStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ZooKeeperLeaseStoreException cause) {
		return new FailureAnalysis(cause.getProblem(), cause.getAction(), cause);
	}

}
