package io.leaderelection.engine.runtime;

import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.StoreAccess;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls on one thread. A call that hangs beyond interruption keeps its thread,
 * and the next call gets a new one, up to a limit: a client without timeouts must not
 * silence the node, nor fill it with threads.
 */
final class StoreThread implements StoreAccess {

	private static final int MOST_STUCK = 8;

	private static final long IDLE_SECONDS = 5;

	private final LeaseStore store;

	private final NodeClock clock;

	private final ThreadFactory threads;

	private final AtomicInteger stuck = new AtomicInteger();

	private Worker worker;

	StoreThread(LeaseStore store, NodeClock clock, ThreadFactory threads) {
		this.store = store;
		this.clock = clock;
		this.threads = threads;
		this.worker = new Worker();
	}

	@Override
	public synchronized <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
		Request<?> present = this.worker.present;
		if (present != null && present.isStuck() && this.stuck.get() < MOST_STUCK) {
			this.stuck.incrementAndGet();
			present.whenDone(this.stuck::decrementAndGet);
			this.worker.executor.shutdown();
			this.worker = new Worker();
		}
		Request<R> request = new Request<>(this.worker, call, answer);
		this.worker.executor.execute(request);
		return request;
	}

	/**
	 * A thread, and the call that it is making.
	 */
	private final class Worker {

		private final ThreadPoolExecutor executor;

		private volatile @Nullable Request<?> present;

		private Worker() {
			this.executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
					StoreThread.this.threads);
			this.executor.allowCoreThreadTimeOut(true);
		}

	}

	private final class Request<R> implements Runnable, Call {

		private final Worker worker;

		private final Function<LeaseStore, R> call;

		private final Answer<R> answer;

		private @Nullable Thread runner;

		private boolean abandoned;

		private boolean done;

		private @Nullable Runnable whenDone;

		private Request(Worker worker, Function<LeaseStore, R> call, Answer<R> answer) {
			this.worker = worker;
			this.call = call;
			this.answer = answer;
		}

		@Override
		public void run() {
			if (!begin()) {
				return;
			}
			Moment sentAt = StoreThread.this.clock.now();
			R result;
			try {
				result = this.call.apply(StoreThread.this.store);
			}
			catch (Throwable ex) {
				end();
				this.answer.failed(ex);
				return;
			}
			end();
			this.answer.answered(sentAt, result);
		}

		private synchronized boolean begin() {
			this.runner = Thread.currentThread();
			if (this.abandoned) {
				this.done = true;
				return false;
			}
			this.worker.present = this;
			return true;
		}

		private synchronized void end() {
			this.done = true;
			this.worker.present = null;
			// an interruption that came too late must not hit the next call
			Thread.interrupted();
			if (this.whenDone != null) {
				this.whenDone.run();
			}
		}

		@Override
		public synchronized void abandon() {
			this.abandoned = true;
			if (this.runner == null) {
				// behind a call that hangs, it would be kept as long as that one
				this.worker.executor.remove(this);
			}
			else if (!this.done) {
				this.runner.interrupt();
			}
		}

		private synchronized boolean isStuck() {
			return this.abandoned && this.runner != null && !this.done;
		}

		private synchronized void whenDone(Runnable action) {
			if (this.done) {
				action.run();
			}
			else {
				this.whenDone = action;
			}
		}

	}

}
