package io.leaderelection.zookeeper;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper could not be reached, or refused what was asked of it.
 */
public class ZooKeeperLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	public ZooKeeperLeaseStoreException(String message) {
		super(message);
	}

	public ZooKeeperLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
