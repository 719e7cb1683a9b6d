package io.leaderelection.redis;

import io.leaderelection.store.ExplainedLeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Redis answers, but cannot keep leases the way it is set up: repeating the call will not
 * help. The message says what to change.
 */
class RedisLeaseStoreException extends ExplainedLeaseStoreException {

	private static final long serialVersionUID = 1L;

	public RedisLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, message,
				"Change the setup of Redis, or the properties spring.data.redis.* and leader-election.redis.*", cause,
				true);
	}

	RedisLeaseStoreException(String action, String answer, @Nullable Throwable cause) {
		super("%s (%s)".formatted(action, answer),
				"Redis answers, but cannot keep the leases of elections as it is set up: %s".formatted(answer), action,
				cause, true);
	}

}
