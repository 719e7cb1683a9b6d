package io.leaderelection.etcd;

import io.grpc.Status;
import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * etcd could not be reached, or refused what was asked of it.
 */
class EtcdLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CONNECTION = "Check leader-election.etcd.endpoints, or the application's own "
			+ "Client, and that the servers are up and let this application in.";

	public EtcdLeaseStoreException(String message) {
		this(message, (Throwable) null);
	}

	public EtcdLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, message, CHECK_CONNECTION, cause, cause != null && isAnswer(Status.fromThrowable(cause)));
	}

	private static boolean isAnswer(Status status) {
		return switch (status.getCode()) {
			case UNKNOWN, UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> false;
			default -> true;
		};
	}

	EtcdLeaseStoreException(String problem, String action) {
		super("%s: %s".formatted(problem, action), problem, action, null);
	}

}
