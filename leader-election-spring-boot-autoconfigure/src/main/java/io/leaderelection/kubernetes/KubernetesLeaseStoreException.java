package io.leaderelection.kubernetes;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The API server could not be reached, or refused what was asked of it.
 */
public class KubernetesLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CLIENT = "Check what the client is configured by: the service account of the pod, "
			+ "KUBECONFIG, or the application's own KubernetesClient.";

	private final String problem;

	private final String action;

	public KubernetesLeaseStoreException(String message) {
		this(message, (Throwable) null);
	}

	public KubernetesLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
		this.problem = message + ".";
		this.action = CHECK_CLIENT;
	}

	KubernetesLeaseStoreException(String problem, String action) {
		super("%s: %s".formatted(problem, action));
		this.problem = problem + ".";
		this.action = StringUtils.capitalize(action) + ".";
	}

	String getProblem() {
		return this.problem;
	}

	String getAction() {
		return this.action;
	}

}
