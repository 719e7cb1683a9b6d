package io.leaderelection.store.observed;

/**
 * The answer to one {@link ConditionalWrite}.
 */
public sealed interface WriteResult {

	/**
	 * The record is as requested, or the heartbeat was written.
	 *
	 * @param version the version of the record
	 */
	record Written(Object version) implements WriteResult {
	}

	/**
	 * A condition was not met, and nothing was written. If a write was tried more than
	 * once, its own first try may have changed the record.
	 */
	record Conflict() implements WriteResult {
	}

	/**
	 * The effect is unknown, although the write was tried for as long as was allowed.
	 *
	 * @param cause what went wrong
	 */
	record Unknown(RuntimeException cause) implements WriteResult {
	}

}
