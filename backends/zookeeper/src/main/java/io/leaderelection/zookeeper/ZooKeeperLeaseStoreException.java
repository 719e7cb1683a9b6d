package io.leaderelection.zookeeper;

import io.leaderelection.store.ExplainedLeaseStoreException;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper could not be reached, or refused what was asked of it.
 */
class ZooKeeperLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	private static final String CHECK_CONNECTION = "Check leader-election.zookeeper.connect-string, or the application's "
			+ "own CuratorFramework, and that the servers are up and let this application in.";

	public ZooKeeperLeaseStoreException(String message) {
		this(message, (Throwable) null);
	}

	public ZooKeeperLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, message, CHECK_CONNECTION, cause, cause instanceof KeeperException answer && isAnswer(answer));
	}

	private static boolean isAnswer(KeeperException failure) {
		return switch (failure.code()) {
			case CONNECTIONLOSS, OPERATIONTIMEOUT, SESSIONEXPIRED, REQUESTTIMEOUT -> false;
			default -> true;
		};
	}

	ZooKeeperLeaseStoreException(String problem, String action) {
		super("%s: %s".formatted(problem, action), problem, action, null);
	}

}
