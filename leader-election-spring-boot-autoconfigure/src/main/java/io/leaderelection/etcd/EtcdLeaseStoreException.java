package io.leaderelection.etcd;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * etcd could not be reached, or refused what was asked of it.
 */
public class EtcdLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CONNECTION = "Check leader-election.etcd.endpoints, or the application's own "
			+ "Client, and that the servers are up and let this application in.";

	private final String problem;

	private final String action;

	public EtcdLeaseStoreException(String message) {
		this(message, (Throwable) null);
	}

	public EtcdLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
		this.problem = message + ".";
		this.action = CHECK_CONNECTION;
	}

	EtcdLeaseStoreException(String problem, String action) {
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
