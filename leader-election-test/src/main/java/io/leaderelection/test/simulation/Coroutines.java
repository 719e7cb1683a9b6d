package io.leaderelection.test.simulation;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.leaderelection.engine.StoreAccess.Operation;

/**
 * Lets blocking code wait in virtual time. Such code runs on a thread of its own, but
 * never at the same time as the simulation: one of them waits for the other. So a run is
 * still the same every time.
 */
final class Coroutines {

	private static final ExecutorService THREADS = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "simulated-call");
		thread.setDaemon(true);
		return thread;
	});

	private final Set<Coroutine> waiting = new HashSet<>();

	private @Nullable Coroutine running;

	/** Runs code until it waits for the first time, or ends. */
	void start(Operation operation, Runnable code) {
		Coroutine coroutine = new Coroutine(operation);
		THREADS.execute(() -> coroutine.run(code));
		goOn(coroutine);
	}

	/**
	 * Waits for a reply. Called by code that runs in a coroutine.
	 * @param request is given the consumer of the reply, which ignores all but the first
	 */
	<T> T await(Consumer<Consumer<T>> request) {
		Coroutine coroutine = running();
		Reply<T> reply = new Reply<>(coroutine);
		request.accept(reply);
		coroutine.pause();
		return reply.value();
	}

	/** The operation of the engine that the code belongs to. */
	Operation operation() {
		return running().operation;
	}

	private Coroutine running() {
		Coroutine coroutine = this.running;
		if (coroutine == null) {
			throw new IllegalStateException("This is no code in a coroutine");
		}
		return coroutine;
	}

	private void goOn(Coroutine coroutine) {
		Coroutine outer = this.running;
		this.running = coroutine;
		coroutine.turn.release();
		this.waiting.remove(coroutine);
		coroutine.world.acquireUninterruptibly();
		this.running = outer;
		if (coroutine.failure != null) {
			throw coroutine.failure;
		}
	}

	/** Ends all code that still waits, since the simulation has ended. */
	void close() {
		for (Coroutine coroutine : Set.copyOf(this.waiting)) {
			coroutine.cancelled = true;
			goOn(coroutine);
		}
	}

	private final class Reply<T> implements Consumer<T> {

		private final Coroutine coroutine;

		private @Nullable T value;

		private boolean answered;

		private Reply(Coroutine coroutine) {
			this.coroutine = coroutine;
		}

		@Override
		public void accept(T reply) {
			if (!this.answered) {
				this.answered = true;
				this.value = reply;
				goOn(this.coroutine);
			}
		}

		private T value() {
			T reply = this.value;
			if (reply == null) {
				throw new IllegalStateException("There is no reply");
			}
			return reply;
		}

	}

	private final class Coroutine {

		private final Semaphore turn = new Semaphore(0);

		private final Semaphore world = new Semaphore(0);

		private final Operation operation;

		private boolean cancelled;

		private @Nullable Error failure;

		private Coroutine(Operation operation) {
			this.operation = operation;
		}

		private void run(Runnable code) {
			this.turn.acquireUninterruptibly();
			try {
				if (!this.cancelled) {
					code.run();
				}
			}
			catch (Cancellation ex) {
				// the simulation has ended
			}
			catch (Throwable ex) {
				this.failure = (ex instanceof Error error) ? error : new AssertionError(ex);
			}
			finally {
				this.world.release();
			}
		}

		private void pause() {
			Coroutines.this.waiting.add(this);
			this.world.release();
			this.turn.acquireUninterruptibly();
			if (this.cancelled) {
				throw new Cancellation();
			}
		}

	}

	private static final class Cancellation extends Error {

		private static final long serialVersionUID = 1L;

		Cancellation() {
			super("the simulation has ended", null, false, false);
		}

	}

}
