package io.leaderelection.engine.runtime;

import io.leaderelection.engine.ManualClock;
import io.leaderelection.engine.StoreAccess;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.leaderelection.Gate;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.engine.StoreAccess.Call;
import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StoreThreadTests {

	private static final int MOST_STUCK = 8;

	private static final Duration SOON = Duration.ofSeconds(20);

	private final InMemoryLeaseStore store = new InMemoryLeaseStore();

	private final ManualClock clock = new ManualClock();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<Gate> gates = new ArrayList<>();

	private final StoreThread access = new StoreThread(this.store, this.clock, this::thread);

	@AfterEach
	void openGates() {
		this.gates.forEach(Gate::open);
	}

	@Test
	void callsAreMadeOnOneThreadWithTheMomentBefore() {
		this.clock.setNanos(42);
		Outcome<LeaseStore> first = new Outcome<>();
		submit((store) -> {
			this.clock.setNanos(1_000);
			return store;
		}, first);
		assertThat(first.result).succeedsWithin(SOON).isSameAs(this.store);
		assertThat(first.sentAt.join().nanos()).isEqualTo(42);
		Outcome<Thread> second = new Outcome<>();
		submit((store) -> Thread.currentThread(), second);
		assertThat(second.result).succeedsWithin(SOON).isSameAs(this.threads.get(0));
		assertThat(this.threads).hasSize(1);
	}

	@Test
	void whateverACallThrowsIsItsFailure() {
		Outcome<Object> outcome = new Outcome<>();
		NoClassDefFoundError error = new NoClassDefFoundError("a driver");
		submit((store) -> {
			throw error;
		}, outcome);
		assertThat(outcome.result).failsWithin(SOON).withThrowableThat().havingRootCause().isSameAs(error);
		Outcome<String> next = new Outcome<>();
		submit((store) -> "fine", next);
		assertThat(next.result).succeedsWithin(SOON).isEqualTo("fine");
	}

	@Test
	void anAbandonedCallIsInterrupted() {
		Gate gate = gate();
		Outcome<String> outcome = new Outcome<>();
		Call call = submit((store) -> {
			gate.pass();
			return "late";
		}, outcome);
		gate.awaitArrival();
		call.abandon();
		assertThat(outcome.result).failsWithin(SOON)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(InterruptedException.class);
	}

	@Test
	void anInterruptionDoesNotHitTheNextCall() {
		Gate gate = gate();
		Outcome<String> deaf = new Outcome<>();
		Call call = submit((store) -> {
			// leaves the interrupt status set
			gate.passDeafly();
			return "late";
		}, deaf);
		gate.awaitArrival();
		call.abandon();
		gate.open();
		assertThat(deaf.result).succeedsWithin(SOON).isEqualTo("late");
		Outcome<Boolean> next = new Outcome<>();
		submit((store) -> Thread.currentThread().isInterrupted(), next);
		assertThat(next.result).succeedsWithin(SOON).isEqualTo(false);
		// too late: the call has ended
		call.abandon();
		Outcome<Boolean> last = new Outcome<>();
		submit((store) -> Thread.currentThread().isInterrupted(), last);
		assertThat(last.result).succeedsWithin(SOON).isEqualTo(false);
	}

	@Test
	void theAnswerIsDeliveredWithoutInterruption() {
		Gate gate = gate();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Call call = this.access.submit(Operation.READ, (store) -> {
			gate.passDeafly();
			return "late";
		}, new StoreAccess.Answer<String>() {

			@Override
			public void answered(Moment sentAt, String result) {
				interrupted.complete(Thread.currentThread().isInterrupted());
			}

			@Override
			public void failed(Throwable failure) {
				interrupted.completeExceptionally(failure);
			}

		});
		gate.awaitArrival();
		call.abandon();
		gate.open();
		assertThat(interrupted).succeedsWithin(SOON).isEqualTo(false);
	}

	@Test
	void aCallThatHangsBeyondInterruptionIsReplacedAndItsLateAnswerHeard() {
		Gate gate = gate();
		Outcome<String> stuck = hang(gate);
		Outcome<String> next = new Outcome<>();
		submit((store) -> "fine", next);
		assertThat(next.result).succeedsWithin(SOON).isEqualTo("fine");
		assertThat(stuck.result).isNotDone();
		assertThat(this.threads).hasSize(2);
		gate.open();
		assertThat(stuck.result).succeedsWithin(SOON).isEqualTo("late");
		until(() -> !this.threads.get(0).isAlive());
	}

	@Test
	void aCallThatWasAbandonedBeforeItBeganIsNotMade() {
		Gate gate = gate();
		submit((store) -> {
			gate.pass();
			return "slow";
		}, new Outcome<String>());
		gate.awaitArrival();
		Outcome<String> waiting = new Outcome<>();
		Call call = submit((store) -> "made", waiting);
		call.abandon();
		gate.open();
		Outcome<String> next = new Outcome<>();
		submit((store) -> "fine", next);
		assertThat(next.result).succeedsWithin(SOON).isEqualTo("fine");
		assertThat(waiting.result).isNotDone();
	}

	@Test
	void noMoreThanAFewThreadsAreStuck() {
		List<Gate> hanging = IntStream.rangeClosed(0, MOST_STUCK).mapToObj((i) -> gate()).toList();
		hanging.forEach(this::hang);
		assertThat(this.threads).hasSize(MOST_STUCK + 1);
		Outcome<String> beyond = new Outcome<>();
		Call call = submit((store) -> "fine", beyond);
		call.abandon();
		submit((store) -> "fine", new Outcome<>()).abandon();
		assertThat(this.threads).hasSize(MOST_STUCK + 1);
		assertThat(beyond.result).isNotDone();
	}

	@Test
	void theNodeSpeaksAgainWhenAnyOfTheStuckCallsReturns() {
		List<Gate> hanging = IntStream.rangeClosed(0, MOST_STUCK).mapToObj((i) -> gate()).toList();
		hanging.forEach(this::hang);
		submit((store) -> "unheard", new Outcome<>()).abandon();
		hanging.get(0).open();
		until(() -> !this.threads.get(0).isAlive());
		Outcome<String> next = new Outcome<>();
		submit((store) -> "fine", next);
		assertThat(next.result).succeedsWithin(SOON).isEqualTo("fine");
	}

	@Test
	void callsThatWereAbandonedWhileAllThreadsAreStuckAreForgotten() {
		IntStream.rangeClosed(0, MOST_STUCK).forEach((i) -> hang(gate()));
		List<WeakReference<Object>> batches = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			Object batch = new Object();
			batches.add(new WeakReference<>(batch));
			submit((store) -> batch, new Outcome<>()).abandon();
		}
		// the last one may be known until the next
		submit((store) -> "fine", new Outcome<>()).abandon();
		until(() -> {
			System.gc();
			return batches.stream().allMatch((reference) -> reference.get() == null);
		});
	}

	private Thread thread(Runnable task) {
		Thread thread = new Thread(task, "store");
		thread.setDaemon(true);
		this.threads.add(thread);
		return thread;
	}

	private Gate gate() {
		Gate gate = new Gate();
		this.gates.add(gate);
		return gate;
	}

	private Outcome<String> hang(Gate gate) {
		Outcome<String> outcome = new Outcome<>();
		Call call = submit((store) -> {
			gate.passDeafly();
			return "late";
		}, outcome);
		gate.awaitArrival();
		call.abandon();
		return outcome;
	}

	private <R> Call submit(Function<LeaseStore, R> call, Outcome<R> outcome) {
		return this.access.submit(Operation.READ, call, outcome);
	}

	private static final class Outcome<R> implements StoreAccess.Answer<R> {

		private final CompletableFuture<Moment> sentAt = new CompletableFuture<>();

		private final CompletableFuture<R> result = new CompletableFuture<>();

		@Override
		public void answered(Moment sentAt, R result) {
			this.sentAt.complete(sentAt);
			this.result.complete(result);
		}

		@Override
		public void failed(Throwable failure) {
			this.result.completeExceptionally(failure);
		}

	}

}
