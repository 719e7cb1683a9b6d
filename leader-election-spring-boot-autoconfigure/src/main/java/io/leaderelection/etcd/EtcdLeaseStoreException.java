package io.leaderelection.etcd;

import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * etcd could not be reached, or refused what was asked of it.
 */
public class EtcdLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CONNECTION = "Check leader-election.etcd.endpoints, or the application's own "
			+ "Client, and that the servers are up and let this application in.";

	public EtcdLeaseStoreException(String message) {
		this(message, (Throwable) null);
	}

	public EtcdLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, message, CHECK_CONNECTION, cause);
	}

	EtcdLeaseStoreException(String problem, String action) {
		super("%s: %s".formatted(problem, action), problem, action, null);
	}

}
