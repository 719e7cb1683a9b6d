package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.Timers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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

	/**
	 * Never throws: the caller may hold the engine's lock. A process that cannot start a
	 * thread now, because of its memory or a limit, may be able to do so later.
	 */
	private void execute(Task task) {
		try {
			this.threads.execute(task);
		}
		catch (Throwable ex) {
			this.timers.schedule(RETRY_NANOS, () -> retry(task));
		}
		watch();
	}

	/** The executor may have queued the task although its thread did not start. */
	private void retry(Task task) {
		if (!task.hasBegun()) {
			this.threads.remove(task);
			execute(task);
		}
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
		try {
			if (this.threads.getQueue().isEmpty()) {
				this.threads.setCorePoolSize(1);
			}
			else if (this.threads.getCompletedTaskCount() == doneBefore
					&& this.inUserCode.get() >= this.threads.getPoolSize()) {
				this.threads.setCorePoolSize(Math.min(MOST_THREADS, this.threads.getPoolSize() + 1));
				this.threads.prestartCoreThread();
			}
		}
		catch (Throwable ex) {
			this.failures.accept(ex);
		}
		finally {
			watch();
		}
	}

	/**
	 * Runs at most once, however often it is submitted.
	 */
	private static final class Task implements Runnable {

		private final Runnable code;

		private final AtomicBoolean begun = new AtomicBoolean();

		private Task(Runnable code) {
			this.code = code;
		}

		private boolean hasBegun() {
			return this.begun.get();
		}

		@Override
		public void run() {
			if (this.begun.compareAndSet(false, true)) {
				this.code.run();
			}
		}

	}

	private final class SerialQueue implements Queue {

		private final Deque<Task> tasks = new ArrayDeque<>(2);

		private @Nullable Task present;

		@Override
		public synchronized void submit(Runnable task, Runnable whenDone) {
			this.tasks.add(new Task(() -> run(task, whenDone)));
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
