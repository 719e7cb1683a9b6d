package io.leaderelection.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Gate;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Threads;
import io.leaderelection.Work;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Threads that come and go while they are dismissed, more of them than there are places.
 */
@Timeout(60)
class InFlightCallsTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final int MANY = 12;

	private final ManualClock clock = new ManualClock();

	private final ManualNode node = new ManualNode("a", this.clock, ManualNode.storeOn(this.clock));

	private final DefaultLeaderElector elector = this.node.engine().elector("reports", ManualNode.SETTINGS);

	private Term term;

	@BeforeEach
	void lead() {
		this.node.engine().start();
		this.node.settle();
		this.term = (Term) this.elector.leadership().orElseThrow();
	}

	private Work begin(OnLoss onLoss) {
		return this.elector.begin(onLoss).orElseThrow();
	}

	@AfterEach
	void leaveNothingBehind() {
		assertThat(Leadership.current()).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.term.inFlight()).isZero();
	}

	@Test
	void whoWasAdmittedJustBeforeTheDismissalIsDismissed() {
		this.term.inFlightCalls().dismiss();
		Work work = begin(OnLoss.INTERRUPT);
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		work.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		Work undisturbed = begin(OnLoss.SIGNAL);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		undisturbed.end();
	}

	@Test
	void allWorkOfAThreadIsCounted() {
		Deque<Work> begun = new ArrayDeque<>();
		for (int i = 0; i < MANY; i++) {
			begun.push(begin(OnLoss.SIGNAL));
			assertThat(begun.peek().leadership()).isSameAs(this.term);
			assertThat(this.term.inFlight()).isEqualTo(i + 1);
		}
		assertThat(begun).doesNotHaveDuplicates();
		Work last = begun.peek();
		assertThat(CompletableFuture.runAsync(last::end, Threads.EACH)).failsWithin(SOON)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalStateException.class);
		begun.forEach((work) -> assertThat(work.end()).isTrue());
		assertThatIllegalStateException().isThrownBy(last::end);
	}

	@Test
	void allThreadsAreInterrupted() {
		Gate gate = new Gate();
		List<CompletableFuture<Boolean>> threads = IntStream.range(0, MANY)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> interruptedAt(gate), Threads.EACH))
			.toList();
		await().until(() -> gate.waiting() == MANY);
		this.elector.stepDown();
		assertThat(threads).allSatisfy((thread) -> assertThat(thread).succeedsWithin(SOON).isEqualTo(true));
	}

	private boolean interruptedAt(Gate gate) {
		Work work = begin(OnLoss.INTERRUPT);
		boolean interrupted = false;
		try {
			gate.pass();
		}
		catch (IllegalStateException ex) {
			interrupted = ex.getCause() instanceof InterruptedException;
		}
		return work.end() && interrupted;
	}

	@Test
	void whoIsAboutToBeInterruptedEndsAfterwards() {
		Gate beforeInterrupt = new Gate();
		Gate beforeEnd = new Gate();
		CompletableFuture<Void> dismissal = new CompletableFuture<>();
		CompletableFuture<Boolean> interruptedLater = CompletableFuture.supplyAsync(() -> {
			Work work = begin(OnLoss.INTERRUPT);
			beforeEnd.passDeafly();
			work.end();
			dismissal.join();
			return Thread.interrupted();
		}, (task) -> new Sluggish(task, beforeInterrupt).start());
		beforeEnd.awaitArrival();
		CompletableFuture.runAsync(() -> {
			this.term.inFlightCalls().dismiss();
			dismissal.complete(null);
		}, Threads.EACH);
		beforeInterrupt.awaitArrival();
		beforeEnd.open();
		assertThat(interruptedLater).isNotDone();
		beforeInterrupt.open();
		assertThat(interruptedLater).succeedsWithin(SOON).isEqualTo(false);
	}

	@Test
	void theInterruptOfAnotherThreadIsNotPassedOn() {
		Gate deaf = new Gate();
		CompletableFuture<Boolean> another = CompletableFuture.supplyAsync(() -> {
			Work work = begin(OnLoss.INTERRUPT);
			deaf.passDeafly();
			return work.end();
		}, Threads.EACH);
		deaf.awaitArrival();
		Work outer = begin(OnLoss.SIGNAL);
		Work inner = begin(OnLoss.INTERRUPT);
		this.elector.stepDown();
		inner.end();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		outer.end();
		deaf.open();
		assertThat(another).succeedsWithin(SOON).isEqualTo(true);
	}

	@Test
	void endedWorkIsNotKept() {
		Deque<Work> begun = new ArrayDeque<>();
		IntStream.range(0, MANY).forEach((i) -> begun.push(begin(OnLoss.INTERRUPT)));
		WeakReference<Work> last = new WeakReference<>(begun.peek());
		begun.pop().end();
		await().until(() -> {
			System.gc();
			return last.get() == null;
		});
		begun.forEach(Work::end);
	}

	@Test
	void endedWorkKeepsNoThreadAlive() {
		WeakReference<Thread> worker = workOnAThreadThatEnds();
		await().until(() -> {
			System.gc();
			return worker.get() == null;
		});
	}

	private WeakReference<Thread> workOnAThreadThatEnds() {
		Thread thread = new Thread(() -> begin(OnLoss.INTERRUPT).end());
		thread.start();
		await().until(() -> !thread.isAlive());
		return new WeakReference<>(thread);
	}

	/**
	 * Some threads come and go all the while, some stay until the dismissal is over.
	 */
	@ParameterizedTest
	@CsvSource({ "2, 1500", "4, 500", "12, 100" })
	void aDismissalReachesEverybodyAtWorkAndNobodyElse(int threads, int rounds) {
		CyclicBarrier barrier = new CyclicBarrier(threads + 1);
		List<Round> plan = IntStream.range(0, rounds).mapToObj((i) -> new Round(this.term)).toList();
		List<CompletableFuture<Void>> workers = IntStream.range(0, threads)
			.mapToObj((i) -> inBackground(() -> plan.forEach((round) -> {
				arrive(barrier);
				round.work();
			})))
			.toList();
		CompletableFuture<Void> dismisser = inBackground(() -> plan.forEach((round) -> {
			arrive(barrier);
			round.dismiss();
		}));
		assertThat(workers).allSatisfy((worker) -> assertThat(worker).succeedsWithin(SOON));
		assertThat(dismisser).succeedsWithin(SOON);
	}

	private static CompletableFuture<Void> inBackground(Runnable task) {
		return CompletableFuture.runAsync(task, Threads.EACH);
	}

	private static void arrive(CyclicBarrier barrier) {
		try {
			barrier.await(10, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted when it did not work", ex);
		}
		catch (BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException("another failed", ex);
		}
	}

	/**
	 * One leadership's end, without the rest of it.
	 */
	private static final class Round {

		private final Term term;

		private final InFlightCalls threads;

		private volatile boolean over;

		Round(Term term) {
			this.term = term;
			this.threads = new InFlightCalls(term);
		}

		void dismiss() {
			spin();
			this.threads.dismiss();
			this.over = true;
		}

		void work() {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			boolean stays = random.nextBoolean();
			while (!this.over && !(stays && random.nextInt(20) == 0)) {
				end(begin(OnLoss.INTERRUPT));
				Work undisturbed = begin(OnLoss.SIGNAL);
				check(!Thread.currentThread().isInterrupted(), "interrupted against its wish");
				end(undisturbed);
			}
			Work last = begin(OnLoss.INTERRUPT);
			while (!this.over) {
				Thread.yield();
			}
			check(Thread.currentThread().isInterrupted(), "missed by the dismissal");
			end(last);
		}

		private Work begin(OnLoss onLoss) {
			check(this.term.enter(), "not admitted");
			return this.threads.begin(onLoss, CurrentLeadership.get(), false);
		}

		private void end(Work work) {
			check(work.end(), "ended without leadership");
			check(!Thread.currentThread().isInterrupted(), "interrupted after its work");
		}

		private static void check(boolean holds, String violation) {
			if (!holds) {
				throw new IllegalStateException(violation);
			}
		}

		private static void spin() {
			for (int i = ThreadLocalRandom.current().nextInt(300); i > 0; i--) {
				Thread.onSpinWait();
			}
		}

	}

	/**
	 * A thread that takes its time when it is interrupted.
	 */
	private static final class Sluggish extends Thread {

		private final Gate gate;

		Sluggish(Runnable task, Gate gate) {
			super(task);
			setDaemon(true);
			this.gate = gate;
		}

		@Override
		public void interrupt() {
			this.gate.pass();
			super.interrupt();
		}

	}

}
