package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import org.jspecify.annotations.Nullable;

/**
 * The threads that work under one leadership, and which of them to interrupt when it
 * ends. Threads do not wait for each other.
 */
final class InFlightCalls {

	private final Term term;

	/** The innermost work of each thread. */
	private final Map<Thread, GuardedWork> innermost = new ConcurrentHashMap<>();

	private volatile boolean dismissed;

	InFlightCalls(Term term) {
		this.term = term;
	}

	/**
	 * Begins work that has been counted in.
	 * @param outer the leadership that this thread works under until now
	 * @param within whether it is part of work that this thread does already, and was not
	 * admitted by itself
	 */
	Work begin(OnLoss onLoss, @Nullable Leadership outer, boolean within) {
		Thread thread = Thread.currentThread();
		GuardedWork work = new GuardedWork(thread, onLoss, outer, this.innermost.get(thread));
		this.innermost.put(thread, work);
		CurrentLeadership.set(this.term);
		// added first and checked afterwards: work that a dismissal misses sees the flag
		if (this.dismissed && !within) {
			work.dismiss();
		}
		return work;
	}

	/** Interrupts all threads whose work asks for it. */
	void dismiss() {
		this.dismissed = true;
		all().forEach(GuardedWork::dismiss);
	}

	/**
	 * Interrupts once more the threads whose work was interrupted before.
	 * @return all threads at work, and what each of them executes
	 */
	List<String> interruptAgain() {
		return all().stream().map((work) -> {
			String description = describe(work.thread);
			work.interruptAgain();
			return description;
		}).toList();
	}

	private static String describe(Thread thread) {
		for (StackTraceElement frame : thread.getStackTrace()) {
			if (!frame.getClassName().startsWith("java.") && !frame.getClassName().startsWith("jdk.")) {
				return "%s in %s.%s".formatted(thread.getName(), frame.getClassName(), frame.getMethodName());
			}
		}
		return thread.getName();
	}

	private List<GuardedWork> all() {
		List<GuardedWork> all = new ArrayList<>();
		this.innermost.values().forEach((work) -> work.addTo(all));
		return all;
	}

	private List<GuardedWork> ofThisThread() {
		List<GuardedWork> own = new ArrayList<>();
		GuardedWork work = this.innermost.get(Thread.currentThread());
		if (work != null) {
			work.addTo(own);
		}
		return own;
	}

	/**
	 * The leaderships that this thread works under: the given one, and those around it.
	 */
	static Set<Term> enclosing(@Nullable Leadership innermost) {
		Set<Term> found = new LinkedHashSet<>();
		collect(innermost, found);
		return found;
	}

	private static void collect(@Nullable Leadership leadership, Set<Term> found) {
		if (leadership instanceof Term term && found.add(term)) {
			term.inFlightCalls().ofThisThread().forEach((work) -> collect(work.outer, found));
		}
	}

	private boolean hasInterruptedThisThread() {
		return ofThisThread().stream().anyMatch(GuardedWork::isInterrupted);
	}

	/**
	 * The work of one thread.
	 */
	private final class GuardedWork implements Work {

		private final Thread thread;

		private final OnLoss onLoss;

		private final @Nullable Leadership outer;

		/** The work around this one, of the same thread under the same leadership. */
		private final @Nullable GuardedWork around;

		private boolean interrupted;

		private boolean ended;

		GuardedWork(Thread thread, OnLoss onLoss, @Nullable Leadership outer, @Nullable GuardedWork around) {
			this.thread = thread;
			this.onLoss = onLoss;
			this.outer = outer;
			this.around = around;
		}

		private void addTo(List<GuardedWork> works) {
			for (GuardedWork work = this; work != null; work = work.around) {
				works.add(work);
			}
		}

		@Override
		public Leadership leadership() {
			return InFlightCalls.this.term;
		}

		@Override
		public synchronized Work detached() {
			Term term = InFlightCalls.this.term;
			if (this.ended || !term.enterPart()) {
				throw alreadyEnded(term);
			}
			return new DetachedWork(term);
		}

		@Override
		public boolean end() {
			Term term = InFlightCalls.this.term;
			if (InFlightCalls.this.innermost.get(Thread.currentThread()) != this || CurrentLeadership.get() != term) {
				throw new IllegalStateException(
						"Work under the leadership of '%s' is ended once, by the thread that began it, inner work first"
							.formatted(term.token().election()));
			}
			CurrentLeadership.set(this.outer);
			if (this.around != null) {
				InFlightCalls.this.innermost.put(this.thread, this.around);
			}
			else {
				InFlightCalls.this.innermost.remove(this.thread);
			}
			if (endInterrupt() && enclosing(this.outer).stream()
				.anyMatch((around) -> around.inFlightCalls().hasInterruptedThisThread())) {
				this.thread.interrupt();
			}
			return term.workEnded();
		}

		/**
		 * An interrupt was meant for this work, and for nothing that the thread does
		 * later.
		 */
		private synchronized boolean endInterrupt() {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted();
			}
			return this.interrupted;
		}

		private synchronized boolean isInterrupted() {
			return this.interrupted;
		}

		private synchronized void dismiss() {
			if (this.onLoss == OnLoss.INTERRUPT && !this.interrupted && !this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

		private synchronized void interruptAgain() {
			if (this.interrupted && !this.ended) {
				this.thread.interrupt();
			}
		}

	}

	/**
	 * Work that any thread may end.
	 */
	private static final class DetachedWork implements Work {

		private final Term term;

		private final AtomicBoolean ended = new AtomicBoolean();

		DetachedWork(Term term) {
			this.term = term;
		}

		@Override
		public Leadership leadership() {
			return this.term;
		}

		@Override
		public Work detached() {
			if (this.ended.get() || !this.term.enterPart()) {
				throw alreadyEnded(this.term);
			}
			return new DetachedWork(this.term);
		}

		@Override
		public boolean end() {
			if (!this.ended.compareAndSet(false, true)) {
				throw alreadyEnded(this.term);
			}
			return this.term.workEnded();
		}

	}

	private static IllegalStateException alreadyEnded(Term term) {
		return new IllegalStateException(
				"This work under the leadership of '%s' has ended".formatted(term.token().election()));
	}

}
