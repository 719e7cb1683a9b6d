package io.leaderelection.engine;

import java.util.concurrent.CompletableFuture;

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
	 * Runs a task on a queue of its own.
	 * @param task the user's code
	 */
	default void execute(Runnable task) {
		queue().submit(task, () -> {
		});
	}

	/**
	 * Completes a user's future, which may run the user's code.
	 * @param future the future
	 * @param value its value
	 */
	default <T> void complete(CompletableFuture<T> future, T value) {
		execute(() -> future.complete(value));
	}

	/**
	 * Fails a user's future, which may run the user's code.
	 * @param future the future
	 * @param failure its failure
	 */
	default void fail(CompletableFuture<?> future, Throwable failure) {
		execute(() -> future.completeExceptionally(failure));
	}

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
