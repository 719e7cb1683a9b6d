package io.leaderelection.etcd;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * etcd could not be reached, or refused what was asked of it.
 */
public class EtcdLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	public EtcdLeaseStoreException(String message) {
		super(message);
	}

	public EtcdLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
