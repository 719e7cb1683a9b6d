package io.leaderelection.kubernetes;

import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The API server could not be reached, or refused what was asked of it.
 */
class KubernetesLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CLIENT = "Check what the client is configured by: the service account of the pod, "
			+ "KUBECONFIG, or the application's own KubernetesClient.";

	public KubernetesLeaseStoreException(String message) {
		super(message, message, CHECK_CLIENT, null, true);
	}

	public KubernetesLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, message, CHECK_CLIENT, cause);
	}

	KubernetesLeaseStoreException(String problem, String action) {
		super("%s: %s".formatted(problem, action), problem, action, null, true);
	}

}
