package io.leaderelection.engine;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.Lost;

/**
 * Told what people should be able to read later. Returns at once.
 */
public interface EngineLog {

	/** Keeps nothing. */
	EngineLog NONE = new EngineLog() {
	};

	/**
	 * This node became leader.
	 * @param event the leadership gained
	 */
	default void gained(Gained event) {
	}

	/**
	 * This node's leadership ended.
	 * @param event the leadership lost
	 */
	default void lost(Lost event) {
	}

	/**
	 * A store call failed, after calls that did not.
	 * @param failure why
	 */
	default void troubleBegan(Throwable failure) {
	}

	/**
	 * The store answers again.
	 * @param failures how many calls have failed in a row
	 */
	default void troubleEnded(int failures) {
	}

	/**
	 * The store could not rehearse, so that the first hand-over takes longer.
	 * @param failure why
	 */
	default void rehearsalFailed(Throwable failure) {
	}

}
