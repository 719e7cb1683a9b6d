package io.leaderelection.redis;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Redis answers, but cannot keep leases the way it is set up: repeating the call will not
 * help. The message says what to change.
 */
public class RedisLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	public RedisLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
