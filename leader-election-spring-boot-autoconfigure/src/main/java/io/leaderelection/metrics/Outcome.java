package io.leaderelection.metrics;

/**
 * What became of a guarded call.
 */
enum Outcome {

	/** It ran, and the leadership lasted until its end. */
	EXECUTED,

	/** It did not run, and its caller was not told. */
	SKIPPED,

	/** It did not run, and its caller got an exception. */
	REJECTED,

	/** It ran, and the leadership ended before it did. */
	LOST;

	boolean ran() {
		return this == EXECUTED || this == LOST;
	}

}
