package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Timers;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs timers on one thread, which ends by itself when there are none.
 */
final class ThreadTimers implements Timers {

	private static final long IDLE_SECONDS = 5;

	private final ScheduledThreadPoolExecutor executor;

	ThreadTimers(ThreadFactory threads) {
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setRemoveOnCancelPolicy(true);
		this.executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Starts the thread. Called before the elections start: under the engine's lock,
	 * nothing must throw because the process can start no thread. While the elections
	 * run, a timer is always pending, so the thread stays.
	 */
	void startThread() {
		this.executor.prestartCoreThread();
	}

	@Override
	public Timer schedule(long delayNanos, Runnable task) {
		Future<?> scheduled = this.executor.schedule(() -> run(task), delayNanos, TimeUnit.NANOSECONDS);
		return () -> scheduled.cancel(false);
	}

	/** The executor would keep what is thrown to itself. */
	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			Thread current = Thread.currentThread();
			current.getUncaughtExceptionHandler().uncaughtException(current, ex);
		}
	}

}
