package io.leaderelection.engine;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import org.jspecify.annotations.Nullable;

/**
 * The threads that work under one leadership, and whom to interrupt when it ends. What
 * has been used once is used again, so that guarded calls allocate nothing.
 */
final class ThreadsAtWork {

	private final Term term;

	private @Nullable ThreadWork first;

	private @Nullable ThreadWork unused;

	private boolean dismissed;

	ThreadsAtWork(Term term) {
		this.term = term;
	}

	/**
	 * Begins work that has been counted in.
	 * @param within whether it is part of work that this thread does already, and was not
	 * admitted by itself
	 */
	synchronized Work begin(OnLoss onLoss, boolean within) {
		ThreadWork work = this.unused;
		if (work == null) {
			work = new ThreadWork();
		}
		else {
			this.unused = work.next;
		}
		work.thread = Thread.currentThread();
		work.outer = CurrentLeadership.set(this.term);
		work.onLoss = onLoss;
		work.interrupted = false;
		link(work);
		if (this.dismissed && !within) {
			work.dismiss();
		}
		return work;
	}

	/** Has all threads that wish it interrupted. */
	synchronized void dismiss() {
		this.dismissed = true;
		for (ThreadWork work = this.first; work != null; work = work.next) {
			work.dismiss();
		}
	}

	private synchronized void end(ThreadWork work) {
		if (work.thread != Thread.currentThread() || CurrentLeadership.get() != this.term) {
			throw new IllegalStateException(
					"Work under the leadership of '%s' is ended by the thread that began it, inner work first"
						.formatted(this.term.token().election()));
		}
		unlink(work);
		CurrentLeadership.set(work.outer);
		work.thread = null;
		work.outer = null;
		work.next = this.unused;
		this.unused = work;
		if (work.interrupted) {
			// it was meant for this work, and for nothing that the thread does later
			Thread.interrupted();
		}
	}

	private void link(ThreadWork work) {
		work.previous = null;
		work.next = this.first;
		if (this.first != null) {
			this.first.previous = work;
		}
		this.first = work;
	}

	private void unlink(ThreadWork work) {
		if (work.previous != null) {
			work.previous.next = work.next;
		}
		else {
			this.first = work.next;
		}
		if (work.next != null) {
			work.next.previous = work.previous;
		}
		work.previous = null;
	}

	/**
	 * The work of one thread.
	 */
	private final class ThreadWork implements Work {

		private @Nullable Thread thread;

		private @Nullable Leadership outer;

		private OnLoss onLoss = OnLoss.SIGNAL;

		private boolean interrupted;

		private @Nullable ThreadWork previous;

		private @Nullable ThreadWork next;

		@Override
		public Leadership leadership() {
			return ThreadsAtWork.this.term;
		}

		@Override
		public boolean end() {
			ThreadsAtWork.this.end(this);
			boolean lasted = ThreadsAtWork.this.term.isHeld();
			ThreadsAtWork.this.term.exit();
			return lasted;
		}

		private void dismiss() {
			if (this.onLoss == OnLoss.INTERRUPT && this.thread != null && !this.interrupted) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}

	}

}
