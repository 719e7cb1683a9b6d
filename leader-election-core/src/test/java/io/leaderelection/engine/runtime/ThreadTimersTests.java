package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Timers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.Gate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ThreadTimersTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

	private final ThreadTimers timers = new ThreadTimers((task) -> {
		Thread thread = new Thread(task, "timer");
		thread.setDaemon(true);
		thread.setUncaughtExceptionHandler((failed, ex) -> this.uncaught.add(ex));
		this.threads.add(thread);
		return thread;
	});

	@Test
	void aTimerRingsOnceAndNeverEarly() {
		long due = System.nanoTime() + Duration.ofMillis(100).toNanos();
		CompletableFuture<Long> rung = new CompletableFuture<>();
		AtomicInteger times = new AtomicInteger();
		this.timers.schedule(Duration.ofMillis(100).toNanos(), () -> {
			times.incrementAndGet();
			rung.complete(System.nanoTime());
		});
		assertThat(rung).succeedsWithin(SOON).satisfies((at) -> assertThat(at - due).isNotNegative());
		assertThat(times).hasValue(1);
	}

	@Test
	void timersRingInTheOrderOfTheirTimesOnOneThread() {
		List<Integer> rung = new CopyOnWriteArrayList<>();
		Gate gate = new Gate();
		this.timers.schedule(0, gate::pass);
		gate.awaitArrival();
		this.timers.schedule(Duration.ofMillis(150).toNanos(), () -> rung.add(3));
		this.timers.schedule(Duration.ofMillis(100).toNanos(), () -> rung.add(2));
		this.timers.schedule(0, () -> rung.add(1));
		gate.open();
		until(() -> rung.size() == 3);
		assertThat(rung).containsExactly(1, 2, 3);
		assertThat(this.threads).hasSize(1);
	}

	@Test
	void aCancelledTimerDoesNotRing() {
		AtomicInteger rung = new AtomicInteger();
		Gate gate = new Gate();
		this.timers.schedule(0, gate::pass);
		gate.awaitArrival();
		this.timers.schedule(0, rung::incrementAndGet).cancel();
		CompletableFuture<Void> last = new CompletableFuture<>();
		this.timers.schedule(0, () -> last.complete(null));
		gate.open();
		assertThat(last).succeedsWithin(SOON);
		assertThat(rung).hasValue(0);
	}

	@Test
	void aTimerOfAYearOverflowsNothing() {
		AtomicInteger rung = new AtomicInteger();
		Timers.Timer timer = this.timers.schedule(Duration.ofDays(365).toNanos(), rung::incrementAndGet);
		CompletableFuture<Void> other = new CompletableFuture<>();
		this.timers.schedule(0, () -> other.complete(null));
		assertThat(other).succeedsWithin(SOON);
		assertThat(rung).hasValue(0);
		timer.cancel();
	}

	@Test
	void whatATimerThrowsIsNotSwallowedAndHarmsNoOther() {
		this.timers.schedule(0, () -> {
			throw new IllegalStateException("a defect");
		});
		CompletableFuture<Void> other = new CompletableFuture<>();
		this.timers.schedule(Duration.ofMillis(20).toNanos(), () -> other.complete(null));
		assertThat(other).succeedsWithin(SOON);
		assertThat(this.uncaught).singleElement().isInstanceOf(IllegalStateException.class);
	}

}
