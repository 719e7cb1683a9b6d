package io.leaderelection.engine;

/**
 * Runs tasks later.
 */
public interface Timers {

	/**
	 * Runs a task once. It may run late, never early.
	 * @param delayNanos the delay on the node's monotonic clock, zero or more
	 * @param task what to run
	 * @return the timer, to be cancelled
	 */
	Timer schedule(long delayNanos, Runnable task);

	/**
	 * A task that waits for its time.
	 */
	interface Timer {

		/**
		 * Lets the task not run, unless it already does.
		 */
		void cancel();

	}

}
