package io.leaderelection.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks on one thread as long as they return soon, and on more when they block,
 * so that a listener that blocks holds up nobody else.
 */
final class CallbackThreads implements Callbacks {

	private static final int MOST_THREADS = 64;

	private static final long IDLE_SECONDS = 5;

	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final ThreadPoolExecutor threads;

	private final Timers timers;

	private final Consumer<Throwable> failures;

	private final AtomicInteger inUserCode = new AtomicInteger();

	private boolean watched;

	CallbackThreads(ThreadFactory threads, Timers timers, Consumer<Throwable> failures) {
		this.threads = new ThreadPoolExecutor(1, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads);
		this.threads.allowCoreThreadTimeOut(true);
		this.timers = timers;
		this.failures = failures;
	}

	@Override
	public Queue queue() {
		return new SerialQueue();
	}

	private void execute(Runnable task) {
		this.threads.execute(task);
		watch();
	}

	private synchronized void watch() {
		if (!this.watched && !this.threads.getQueue().isEmpty()) {
			this.watched = true;
			long done = this.threads.getCompletedTaskCount();
			this.timers.schedule(PATIENCE_NANOS, () -> relieve(done));
		}
	}

	/**
	 * Adds a thread if tasks wait, none has been done since the last look, and user code
	 * has every thread. One that waits for the engine instead will go on by itself, and a
	 * second one would only wait with it.
	 */
	private synchronized void relieve(long doneBefore) {
		this.watched = false;
		if (this.threads.getQueue().isEmpty()) {
			this.threads.setCorePoolSize(1);
		}
		else if (this.threads.getCompletedTaskCount() == doneBefore
				&& this.inUserCode.get() >= this.threads.getPoolSize()) {
			this.threads.setCorePoolSize(Math.min(MOST_THREADS, this.threads.getPoolSize() + 1));
		}
		watch();
	}

	private final class SerialQueue implements Queue {

		private final Deque<Runnable> tasks = new ArrayDeque<>(2);

		private @Nullable Runnable present;

		@Override
		public synchronized void submit(Runnable task, Runnable whenDone) {
			this.tasks.add(() -> run(task, whenDone));
			if (this.present == null) {
				next();
			}
		}

		private void run(Runnable task, Runnable whenDone) {
			CallbackThreads.this.inUserCode.incrementAndGet();
			try {
				task.run();
			}
			catch (Throwable ex) {
				CallbackThreads.this.failures.accept(ex);
			}
			finally {
				CallbackThreads.this.inUserCode.decrementAndGet();
			}
			try {
				whenDone.run();
			}
			finally {
				next();
			}
		}

		private synchronized void next() {
			this.present = this.tasks.poll();
			if (this.present != null) {
				execute(this.present);
			}
		}

	}

}
