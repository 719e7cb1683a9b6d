package io.leaderelection.test.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Virtual time and chance. Events run one at a time, in the order of their time, and
 * those of the same time in the order they were planned.
 */
final class World {

	static final long MILLI = 1_000_000L;

	static final long SECOND = 1_000_000_000L;

	private static final int TRACE_LINES = 400;

	private final long seed;

	private final SplittableRandom random;

	private final PriorityQueue<Event> events = new PriorityQueue<>(256);

	private final boolean traced;

	private final Deque<String> trace = new ArrayDeque<>();

	private long now;

	private long planned;

	private long happened;

	World(long seed, boolean traced) {
		this.seed = seed;
		this.random = new SplittableRandom(seed);
		this.traced = traced;
	}

	long now() {
		return this.now;
	}

	long happened() {
		return this.happened;
	}

	SplittableRandom random() {
		return this.random;
	}

	boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	/** A length of time between two bounds. */
	long between(long least, long most) {
		return least + this.random.nextLong(most - least + 1);
	}

	Event in(long delay, Runnable action) {
		Event event = new Event(this.now + Math.max(0, delay), this.planned++, action);
		this.events.add(event);
		return event;
	}

	/** Lets events happen until a moment, and looks after each of them. */
	void runUntil(long end, Runnable afterEach) {
		Event next = this.events.peek();
		while (next != null && next.time <= end) {
			this.events.poll();
			if (!next.cancelled) {
				this.now = next.time;
				this.happened++;
				next.action.run();
				afterEach.run();
			}
			next = this.events.peek();
		}
		this.now = end;
	}

	void trace(Supplier<String> line) {
		if (this.traced) {
			if (this.trace.size() == TRACE_LINES) {
				this.trace.removeFirst();
			}
			this.trace.add("%10.6f %s".formatted(this.now / (double) SECOND, line.get()));
		}
	}

	List<String> trace() {
		return new ArrayList<>(this.trace);
	}

	InvariantViolation violation(String promise, String message) {
		return new InvariantViolation(this.seed, promise,
				"%s (at %.6f s)".formatted(message, this.now / (double) SECOND), trace());
	}

	/**
	 * Something that will happen.
	 */
	static final class Event implements Comparable<Event> {

		private final long time;

		private final long order;

		private final Runnable action;

		private boolean cancelled;

		private Event(long time, long order, Runnable action) {
			this.time = time;
			this.order = order;
			this.action = action;
		}

		void cancel() {
			this.cancelled = true;
		}

		@Override
		public int compareTo(Event other) {
			int byTime = Long.compare(this.time, other.time);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

}
