package io.leaderelection.store;

import org.jspecify.annotations.Nullable;

/**
 * A store could not be asked or gave no usable answer. Nothing is known of the effect of
 * the call.
 */
public class LeaseStoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean rejection;

	public LeaseStoreException(String message) {
		this(message, null);
	}

	public LeaseStoreException(String message, @Nullable Throwable cause) {
		this(message, cause, false);
	}

	/**
	 * A failure of a store.
	 * @param message what failed, on one line
	 * @param cause what was thrown; none if it was found out otherwise
	 * @param rejection whether the store answered, and rejected the request
	 */
	public LeaseStoreException(String message, @Nullable Throwable cause, boolean rejection) {
		super(message, cause);
		this.rejection = rejection;
	}

	/**
	 * Whether the store answered, and rejected the request. Otherwise it did not answer.
	 * @return {@code true} for a read-only server or a missing right, {@code false} for a
	 * refused connection or a timeout
	 */
	public boolean isRejection() {
		return this.rejection;
	}

}
