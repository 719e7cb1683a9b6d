package io.leaderelection.observed;

/**
 * The answer to one {@link ConditionalWrite}.
 */
public sealed interface WriteResult {

	/**
	 * The record is now as wanted.
	 *
	 * @param version its version
	 */
	record Written(Object version) implements WriteResult {
	}

	/**
	 * The record is not as it was seen, and was left as it is. If a write was tried more
	 * than once, its own first try may have changed it.
	 */
	record ChangedSince() implements WriteResult {
	}

	/**
	 * Nothing is known of the effect, though it was tried for as long as was allowed.
	 *
	 * @param cause what went wrong
	 */
	record Unknown(RuntimeException cause) implements WriteResult {
	}

}
