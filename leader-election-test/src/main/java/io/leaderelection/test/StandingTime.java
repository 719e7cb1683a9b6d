package io.leaderelection.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.Timers;

/**
 * Clocks that stand still unless they are moved, with the timers that hang on them.
 */
final class StandingTime implements NodeClock, Timers {

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final Activity activity;

	private final long wallMillisAtStart = System.currentTimeMillis();

	private final List<Waiting> waiting = new ArrayList<>();

	private volatile long nanos;

	StandingTime(Activity activity) {
		this.activity = activity;
	}

	@Override
	public long nanos() {
		return this.nanos;
	}

	@Override
	public long wallMillis() {
		return this.wallMillisAtStart + this.nanos / NANOS_PER_MILLI;
	}

	@Override
	public Timer schedule(long delayNanos, Runnable task) {
		if (delayNanos == 0) {
			this.activity.run(task);
			return () -> {
			};
		}
		Waiting timer = new Waiting(this.nanos + delayNanos, task);
		synchronized (this.waiting) {
			this.waiting.add(timer);
		}
		return () -> cancel(timer);
	}

	private void cancel(Waiting timer) {
		synchronized (this.waiting) {
			this.waiting.remove(timer);
		}
	}

	/**
	 * Jumps, as the clocks of a process that was paused, and then lets ring what is due.
	 */
	void pass(Duration time) {
		this.nanos += time.toNanos();
		for (Optional<Waiting> due = takeDue(); due.isPresent(); due = takeDue()) {
			due.get().task().run();
			this.activity.awaitEnd();
		}
	}

	private Optional<Waiting> takeDue() {
		synchronized (this.waiting) {
			Optional<Waiting> due = this.waiting.stream()
				.filter((timer) -> timer.due() <= this.nanos)
				.min(Comparator.comparingLong(Waiting::due));
			due.ifPresent(this.waiting::remove);
			return due;
		}
	}

	private record Waiting(long due, Runnable task) {
	}

}
