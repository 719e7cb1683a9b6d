package io.leaderelection.engine.runtime;

import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.Timers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class CallbackThreadsTests {

	private static final Runnable NOTHING = () -> {
	};

	private final List<Thread> started = new CopyOnWriteArrayList<>();

	private final List<Throwable> failures = new CopyOnWriteArrayList<>();

	private final ManualTimers timers = new ManualTimers();

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final CountDownLatch unblock = new CountDownLatch(1);

	private volatile boolean threadsExhausted;

	private final CallbackThreads callbacks = new CallbackThreads((task) -> {
		if (this.threadsExhausted) {
			throw new OutOfMemoryError("unable to create native thread");
		}
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		this.started.add(thread);
		return thread;
	}, this.timers, this.failures::add);

	@AfterEach
	void unblock() {
		this.unblock.countDown();
	}

	@Test
	void aListenerThatBlocksHoldsUpNobodyElse() throws InterruptedException {
		CountDownLatch othersTold = new CountDownLatch(100);
		this.callbacks.queue().submit(this::block, NOTHING);
		this.blocked.await();
		tellOthers(othersTold);
		this.timers.ring();
		await().until(() -> othersTold.getCount() == 0);
		assertThat(this.started).hasSize(2);
	}

	@Test
	void aCallbackThatWaitsForTheEngineStartsNoFurtherThread() throws InterruptedException {
		CountDownLatch othersTold = new CountDownLatch(100);
		this.callbacks.queue().submit(NOTHING, this::block);
		this.blocked.await();
		tellOthers(othersTold);
		for (int i = 0; i < 10; i++) {
			this.timers.ring();
		}
		assertThat(this.started).hasSize(1);
		this.unblock.countDown();
		await().until(() -> othersTold.getCount() == 0);
		assertThat(this.started).hasSize(1);
	}

	@Test
	void aListenerThatThrowsIsReportedAndItsThreadGoesOn() {
		CountDownLatch othersTold = new CountDownLatch(100);
		IllegalStateException failure = new IllegalStateException("listener");
		this.callbacks.queue().submit(() -> {
			throw failure;
		}, NOTHING);
		tellOthers(othersTold);
		await().until(() -> othersTold.getCount() == 0);
		assertThat(this.failures).containsExactly(failure);
		assertThat(this.started).hasSize(1);
	}

	@Test
	void aQueueGoesOnWhenItsThreadCanBeStartedAgain() {
		Callbacks.Queue queue = this.callbacks.queue();
		List<Integer> told = new CopyOnWriteArrayList<>();
		this.threadsExhausted = true;
		for (int i = 0; i < 3; i++) {
			int number = i;
			queue.submit(() -> told.add(number), NOTHING);
		}
		this.timers.ring();
		this.timers.ring();
		assertThat(told).isEmpty();
		this.threadsExhausted = false;
		this.timers.ring();
		await().until(() -> told.size() == 3);
		assertThat(told).containsExactly(0, 1, 2);
		queue.submit(() -> told.add(3), NOTHING);
		await().until(() -> told.size() == 4);
	}

	private void tellOthers(CountDownLatch told) {
		for (long i = told.getCount(); i > 0; i--) {
			this.callbacks.queue().submit(told::countDown, NOTHING);
		}
	}

	private void block() {
		this.blocked.countDown();
		try {
			this.unblock.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Timers that run when the test says so.
	 */
	private static final class ManualTimers implements Timers {

		private final Deque<Runnable> tasks = new ArrayDeque<>();

		@Override
		public synchronized Timer schedule(long delayNanos, Runnable task) {
			this.tasks.add(task);
			return () -> cancel(task);
		}

		private synchronized void cancel(Runnable task) {
			this.tasks.remove(task);
		}

		void ring() {
			List<Runnable> due = new ArrayList<>();
			synchronized (this) {
				due.addAll(this.tasks);
				this.tasks.clear();
			}
			due.forEach(Runnable::run);
		}

	}

}
