package io.leaderelection.engine;

import java.util.concurrent.ExecutorService;
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

	private static final long IDLE_SECONDS = 30;

	private final LeaseStore store;

	private final NodeClock clock;

	private final ThreadFactory threads;

	private final AtomicInteger stuck = new AtomicInteger();

	private ExecutorService executor;

	private @Nullable Request<?> last;

	StoreThread(LeaseStore store, NodeClock clock, ThreadFactory threads) {
		this.store = store;
		this.clock = clock;
		this.threads = threads;
		this.executor = newExecutor();
	}

	private ExecutorService newExecutor() {
		ThreadPoolExecutor single = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), this.threads);
		single.allowCoreThreadTimeOut(true);
		return single;
	}

	@Override
	public synchronized <R> Call submit(Operation operation, Function<LeaseStore, R> call, Answer<R> answer) {
		if (this.last != null && this.last.isStuck() && this.stuck.get() < MOST_STUCK) {
			this.stuck.incrementAndGet();
			this.last.whenDone(this.stuck::decrementAndGet);
			this.executor.shutdown();
			this.executor = newExecutor();
		}
		Request<R> request = new Request<>(call, answer);
		this.last = request;
		this.executor.execute(request);
		return request;
	}

	private final class Request<R> implements Runnable, Call {

		private final Function<LeaseStore, R> call;

		private final Answer<R> answer;

		private @Nullable Thread runner;

		private boolean abandoned;

		private boolean done;

		private @Nullable Runnable whenDone;

		private Request(Function<LeaseStore, R> call, Answer<R> answer) {
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
			this.done = this.abandoned;
			return !this.abandoned;
		}

		private synchronized void end() {
			this.done = true;
			// an interruption that came too late must not hit the next call
			Thread.interrupted();
			if (this.whenDone != null) {
				this.whenDone.run();
			}
		}

		@Override
		public synchronized void abandon() {
			this.abandoned = true;
			if (this.runner != null && !this.done) {
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
