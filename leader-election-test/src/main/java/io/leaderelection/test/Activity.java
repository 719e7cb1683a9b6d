package io.leaderelection.test;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.leaderelection.engine.Callbacks;
import org.jspecify.annotations.Nullable;

/**
 * All that the elections do besides the test's own thread, so that a test can wait for
 * its end.
 */
final class Activity implements Callbacks, AutoCloseable {

	private static final long PATIENCE_SECONDS = 20;

	private final ExecutorService threads = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS,
			new SynchronousQueue<>(), Activity::newThread);

	/** For those who change leadership from within a callback, which cannot wait. */
	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	private int unfinished;

	private @Nullable Throwable failure;

	private static Thread newThread(Runnable task) {
		Thread thread = new Thread(task, "test-leadership");
		thread.setDaemon(true);
		return thread;
	}

	void run(Runnable task) {
		synchronized (this) {
			this.unfinished++;
		}
		this.threads.execute(() -> {
			this.inside.set(true);
			try {
				task.run();
			}
			catch (RuntimeException | Error ex) {
				failed(ex);
			}
			finally {
				finished();
			}
		});
	}

	private synchronized void failed(Throwable ex) {
		if (this.failure == null) {
			this.failure = ex;
		}
	}

	private synchronized void finished() {
		this.unfinished--;
		notifyAll();
	}

	/**
	 * Waits until nothing is under way any more, and throws what a callback has thrown.
	 */
	synchronized void awaitEnd() {
		if (this.inside.get()) {
			return;
		}
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		boolean interrupted = false;
		while (this.unfinished > 0) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0) {
				throw new IllegalStateException(
						"A callback has not returned for %d seconds. Does it wait for this test?"
							.formatted(PATIENCE_SECONDS));
			}
			try {
				wait(left);
			}
			catch (InterruptedException ex) {
				// meant for the work that the test does under the leadership it takes
				// away
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		Throwable thrown = this.failure;
		this.failure = null;
		if (thrown != null) {
			throw new IllegalStateException("A callback has failed: " + thrown, thrown);
		}
	}

	@Override
	public Queue queue() {
		return new SerialQueue();
	}

	@Override
	public void close() {
		this.threads.shutdown();
	}

	/**
	 * Runs one task after the other.
	 */
	private final class SerialQueue implements Queue {

		private final Deque<Runnable> tasks = new ArrayDeque<>();

		private boolean busy;

		@Override
		public synchronized void submit(Runnable task, Runnable whenDone) {
			this.tasks.add(() -> {
				try {
					task.run();
				}
				finally {
					whenDone.run();
					next();
				}
			});
			if (!this.busy) {
				next();
			}
		}

		private synchronized void next() {
			Runnable task = this.tasks.poll();
			this.busy = task != null;
			if (task != null) {
				Activity.this.run(task);
			}
		}

	}

}
