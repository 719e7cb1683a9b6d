package io.leaderelection.store;

import org.jspecify.annotations.Nullable;

/**
 * A store could not be asked or gave no usable answer. Nothing is known of the effect of
 * the call.
 */
public class LeaseStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public LeaseStoreException(String message) {
		super(message);
	}

	public LeaseStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
