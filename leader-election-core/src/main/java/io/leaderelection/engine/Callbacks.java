package io.leaderelection.engine;

/**
 * Runs the user's code, where it cannot hold up the engine.
 */
public interface Callbacks {

	/**
	 * A new queue. Tasks of one queue run in order, one at a time; a task that blocks
	 * does not hold up other queues.
	 * @return the queue
	 */
	Queue queue();

	/**
	 * An ordered queue of tasks.
	 */
	interface Queue {

		/**
		 * Runs a task after those submitted before. Does not throw, also if no thread can
		 * be started: the task then runs as soon as one can.
		 * @param task the user's code
		 * @param whenDone run after the task has returned or thrown
		 */
		void submit(Runnable task, Runnable whenDone);

	}

}
