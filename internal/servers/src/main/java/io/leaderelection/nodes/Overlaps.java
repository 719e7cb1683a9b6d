package io.leaderelection.nodes;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Samples all nodes of an election for two that lead at once.
 */
public final class Overlaps implements AutoCloseable {

	/** Sampling without a pause would take the processor from the nodes. */
	private static final Duration SAMPLE = Duration.ofNanos(50_000);

	private final List<LeaderElector> electors;

	private final Thread thread;

	private final AtomicInteger seen = new AtomicInteger();

	private final AtomicLong samples = new AtomicLong();

	private volatile boolean over;

	public Overlaps(List<LeaderElector> electors) {
		this.electors = electors;
		this.thread = new Thread(this::watch, "overlaps");
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void watch() {
		while (!this.over) {
			for (LeaderElector one : this.electors) {
				Leadership leadership = one.leadership().orElse(null);
				if (leadership == null) {
					continue;
				}
				for (LeaderElector other : this.electors) {
					// the same leadership before and after: it covers the moment between
					if (other != one && other.isLeader() && leadership.isCurrent()) {
						this.seen.incrementAndGet();
					}
				}
			}
			this.samples.incrementAndGet();
			LockSupport.parkNanos(SAMPLE.toNanos());
		}
	}

	@Override
	public void close() {
		this.over = true;
		try {
			this.thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
		assertThat(this.samples).hasPositiveValue();
		assertThat(this.seen).as("moments with two leaders").hasValue(0);
	}

}
