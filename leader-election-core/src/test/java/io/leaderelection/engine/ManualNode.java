package io.leaderelection.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * A real engine on one thread: the test moves its clock, answers its calls and runs its
 * callbacks.
 */
final class ManualNode {

	static final ElectionSettings SETTINGS = ElectionSettings.ofLease(Duration.ofSeconds(10));

	private static final AtomicInteger PROCESSES = new AtomicInteger();

	private final int process = PROCESSES.incrementAndGet();

	private final ManualClock clock;

	private final LeaseStore store;

	private final List<ManualTimer> timers = new ArrayList<>();

	private final List<ManualCall<?>> calls = new ArrayList<>();

	private final Deque<Runnable> callbacks = new ArrayDeque<>();

	private final List<String> log = new ArrayList<>();

	private final List<String> errors = new ArrayList<>();

	private final ElectionEngine engine;

	private boolean threadsExhausted;

	private int runs;

	ManualNode(String nodeId, ManualClock clock, LeaseStore store) {
		this.clock = clock;
		this.store = store;
		this.engine = new ElectionEngine(() -> new Owner(nodeId, "run-%d of %d".formatted(++this.runs, this.process)),
				clock, this::schedule, new Access(), () -> (task, whenDone) -> this.callbacks.add(() -> {
					try {
						task.run();
					}
					finally {
						whenDone.run();
					}
				}), new Log(), new SplittableRandom(1));
	}

	/** A store whose time is that of the nodes. */
	static InMemoryLeaseStore storeOn(ManualClock clock) {
		return new InMemoryLeaseStore(clock::nanos, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
	}

	ElectionEngine engine() {
		return this.engine;
	}

	LeaseStore store() {
		return this.store;
	}

	List<String> log() {
		return this.log;
	}

	/** What was logged of failures of the store. */
	List<String> errors() {
		return this.errors;
	}

	/** All calls ever made, oldest first. */
	List<ManualCall<?>> calls() {
		return this.calls;
	}

	long count(StoreAccess.Operation operation) {
		return this.calls.stream().filter((call) -> call.operation == operation).count();
	}

	/** The call that waits for its answer. */
	ManualCall<?> call() {
		return openCall().orElseThrow(() -> new AssertionError("no call is under way"));
	}

	Optional<ManualCall<?>> openCall() {
		return this.calls.stream().filter((call) -> !call.answered && !call.abandoned).findFirst();
	}

	/** Lets the store answer whatever is asked, until nothing is. */
	void settle() {
		int rounds = 0;
		do {
			openCall().ifPresent(ManualCall::answer);
			runCallbacks();
			if (++rounds > 1_000) {
				throw new AssertionError("the node asks the store in a loop: " + call().operation());
			}
		}
		while (openCall().isPresent() || !this.callbacks.isEmpty());
	}

	void runCallbacks() {
		while (!this.callbacks.isEmpty()) {
			this.callbacks.remove().run();
		}
	}

	/** Lets time pass and timers ring, without answers. */
	void pass(Duration time) {
		pass(time, () -> {
		});
	}

	/** Lets time pass, with what is to be done after each timer. */
	void pass(Duration time, Runnable afterEach) {
		long end = this.clock.nanos() + time.toNanos();
		int rung = 0;
		for (Optional<ManualTimer> next = nextTimer(end); next.isPresent(); next = nextTimer(end)) {
			ManualTimer timer = next.get();
			this.timers.remove(timer);
			this.clock.advance(Duration.ofNanos(Math.max(0, timer.due - this.clock.nanos())));
			timer.task.run();
			afterEach.run();
			if (++rung > 100_000) {
				throw new AssertionError("the node sets its timer in a loop");
			}
		}
		this.clock.advance(Duration.ofNanos(end - this.clock.nanos()));
	}

	private Optional<ManualTimer> nextTimer(long end) {
		return this.timers.stream()
			.filter((timer) -> timer.due <= end)
			.min(Comparator.comparingLong((timer) -> timer.due));
	}

	/** How long until the next timer rings. */
	Optional<Duration> nextTimerIn() {
		return nextTimer(Long.MAX_VALUE).map((timer) -> Duration.ofNanos(timer.due - this.clock.nanos()));
	}

	List<ManualTimer> timers() {
		return this.timers;
	}

	/** From now on there is no thread to make a call on. */
	void exhaustThreads(boolean exhausted) {
		this.threadsExhausted = exhausted;
	}

	private Timers.Timer schedule(long delayNanos, Runnable task) {
		ManualTimer timer = new ManualTimer(this.clock.nanos() + delayNanos, task);
		this.timers.add(timer);
		return () -> this.timers.remove(timer);
	}

	/**
	 * A timer that waits.
	 */
	static final class ManualTimer {

		private final long due;

		private final Runnable task;

		private ManualTimer(long due, Runnable task) {
			this.due = due;
			this.task = task;
		}

		/** Rings, though it may have been cancelled: its thread had begun already. */
		void ring() {
			this.task.run();
		}

	}

	/**
	 * A call on its way.
	 *
	 * @param <R> what the store returns
	 */
	final class ManualCall<R> implements StoreAccess.Call {

		private final StoreAccess.Operation operation;

		private final Function<LeaseStore, R> call;

		private final StoreAccess.Answer<R> answer;

		private final Moment sentAt = ManualNode.this.clock.now();

		private boolean abandoned;

		private boolean answered;

		private ManualCall(StoreAccess.Operation operation, Function<LeaseStore, R> call,
				StoreAccess.Answer<R> answer) {
			this.operation = operation;
			this.call = call;
			this.answer = answer;
		}

		StoreAccess.Operation operation() {
			return this.operation;
		}

		boolean isAbandoned() {
			return this.abandoned;
		}

		/** Reaches the store and returns. */
		void answer() {
			perform().run();
		}

		/** Reaches the store; the answer is delivered by running what is returned. */
		Runnable perform() {
			this.answered = true;
			R result;
			try {
				result = this.call.apply(ManualNode.this.store);
			}
			catch (RuntimeException ex) {
				return () -> this.answer.failed(ex);
			}
			return () -> this.answer.answered(this.sentAt, result);
		}

		void fail(Throwable failure) {
			this.answered = true;
			this.answer.failed(failure);
		}

		@Override
		public void abandon() {
			this.abandoned = true;
		}

	}

	private final class Access implements StoreAccess {

		@Override
		public <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
			if (ManualNode.this.threadsExhausted) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			ManualCall<R> made = new ManualCall<>(operation, call, answer);
			ManualNode.this.calls.add(made);
			return made;
		}

	}

	private final class Log implements EngineLog {

		@Override
		public void duplicateNodeId(String election) {
			ManualNode.this.log.add("duplicate node id: " + election);
		}

		@Override
		public void storeFailed(String error, Throwable failure) {
			ManualNode.this.log.add("store failed");
			ManualNode.this.errors.add(error);
		}

		@Override
		public void takeoverBlocked(String error) {
			ManualNode.this.log.add("takeover blocked");
			ManualNode.this.errors.add(error);
		}

		@Override
		public void takeoverUnblocked(String election) {
			ManualNode.this.log.add("takeover of %s unblocked".formatted(election));
		}

		@Override
		public void storeRecovered(int failures) {
			ManualNode.this.log.add("store recovered");
		}

		@Override
		public void drainTimedOut(FencingToken token, String nodeId, int inFlight, List<String> threads) {
			ManualNode.this.log.add("drain timed out: %s %d %s".formatted(token.election(), inFlight, threads));
		}

	}

}
