package io.leaderelection.redis;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Redis answers, but cannot keep leases the way it is set up: repeating the call will not
 * help. The message says what to change.
 */
public class RedisLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String action;

	public RedisLeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
		this.problem = message;
		this.action = "Change the setup of Redis, or the properties spring.data.redis.* and leader-election.redis.*.";
	}

	RedisLeaseStoreException(String action, String answer, @Nullable Throwable cause) {
		super("%s (%s)".formatted(action, answer), cause);
		this.problem = "Redis answers, but cannot keep the leases of elections as it is set up: %s.".formatted(answer);
		this.action = action + ".";
	}

	String getProblem() {
		return this.problem;
	}

	String getAction() {
		return this.action;
	}

}
