package io.leaderelection.benchmarks;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Counts the threads that elections have started, every few milliseconds, and remembers
 * the highest count. One that lives shorter than that may be missed.
 */
final class OwnThreads implements AutoCloseable {

	private static final String PREFIX = "leader-election-";

	private static final long PERIOD_MILLIS = 10;

	private final ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "benchmark-thread-count");
		thread.setDaemon(true);
		return thread;
	});

	private volatile int most;

	OwnThreads() {
		this.sampler.scheduleAtFixedRate(() -> this.most = Math.max(this.most, count()), 0, PERIOD_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	/**
	 * How many there are now, of all nodes.
	 */
	static int count() {
		ThreadGroup root = Thread.currentThread().getThreadGroup();
		while (root.getParent() != null) {
			root = root.getParent();
		}
		Thread[] threads = new Thread[root.activeCount() * 2 + 16];
		root.enumerate(threads);
		return (int) Arrays.stream(threads)
			.filter(Objects::nonNull)
			.filter((thread) -> thread.getName().startsWith(PREFIX))
			.count();
	}

	/**
	 * The highest count so far.
	 */
	int most() {
		return this.most;
	}

	@Override
	public void close() {
		this.sampler.shutdown();
	}

}
