package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import org.jspecify.annotations.Nullable;

/**
 * The threads that work under one leadership, and whom to interrupt when it ends. A few
 * places are taken and left without a lock and used again, so that guarded calls wait for
 * nobody and allocate nothing. Only when all are taken are more made.
 */
final class InFlightCalls {

	/** A power of two. */
	private static final int PLACES = 8;

	/** Odd, so that every place is somebody's, and more than a cache line's worth. */
	private static final int APART = 3;

	private final Term term;

	/** Made for the first thread that comes: many leaderships see no work at all. */
	private volatile GuardedWork @Nullable [] places;

	/** Those who found all places taken; made before the places. */
	private Set<GuardedWork> more = Set.of();

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
		GuardedWork work = takePlace(thread, (onLoss == OnLoss.INTERRUPT) ? thread : GuardedWork.UNDISTURBED);
		work.thread = thread;
		work.outer = outer;
		CurrentLeadership.set(this.term);
		// taken first and asked afterwards: whom a dismissal misses, sees the dismissal
		if (this.dismissed && !within) {
			work.dismiss();
		}
		return work;
	}

	private GuardedWork takePlace(Thread thread, Object occupant) {
		GuardedWork[] known = this.places;
		if (known == null) {
			known = makePlaces();
		}
		int first = (int) thread.getId() * APART;
		for (int i = 0; i < PLACES; i++) {
			GuardedWork place = known[(first + i) & (PLACES - 1)];
			if (place.take(occupant)) {
				return place;
			}
		}
		GuardedWork another = new GuardedWork(false);
		another.take(occupant);
		this.more.add(another);
		return another;
	}

	private synchronized GuardedWork[] makePlaces() {
		GuardedWork[] made = this.places;
		if (made == null) {
			made = new GuardedWork[PLACES];
			for (int i = 0; i < PLACES; i++) {
				made[i] = new GuardedWork(true);
			}
			this.more = ConcurrentHashMap.newKeySet();
			this.places = made;
		}
		return made;
	}

	/** Has all threads that wish it interrupted. */
	void dismiss() {
		this.dismissed = true;
		GuardedWork[] known = this.places;
		if (known != null) {
			for (GuardedWork work : known) {
				work.dismiss();
			}
			this.more.forEach(GuardedWork::dismiss);
		}
	}

	/**
	 * Interrupts once more the threads whose work was interrupted before.
	 * @return all threads at work, and what each of them executes
	 */
	List<String> interruptAgain() {
		List<String> descriptions = new ArrayList<>();
		for (GuardedWork work : all()) {
			Thread working = work.thread;
			if (work.occupant.get() != null && working != null) {
				descriptions.add(describe(working));
				work.interruptAgain();
			}
		}
		return descriptions;
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
		GuardedWork[] known = this.places;
		if (known == null) {
			return List.of();
		}
		List<GuardedWork> all = new ArrayList<>(List.of(known));
		all.addAll(this.more);
		return all;
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
			for (GuardedWork work : term.inFlightCalls().all()) {
				if (work.thread == Thread.currentThread()) {
					collect(work.outer, found);
				}
			}
		}
	}

	private boolean hasInterruptedThisThread() {
		return all().stream()
			.anyMatch((work) -> work.occupant.get() instanceof Interrupted interrupted
					&& interrupted.thread == Thread.currentThread());
	}

	/**
	 * The work of one thread. One step takes the place and says whom to interrupt, so
	 * that nobody who looks sees the one without the other.
	 */
	private final class GuardedWork implements Work {

		/** In place of a thread that does not wish to be interrupted. */
		private static final Object UNDISTURBED = new Object();

		private final AtomicReference<@Nullable Object> occupant = new AtomicReference<>();

		private final boolean kept;

		private @Nullable Thread thread;

		private @Nullable Leadership outer;

		GuardedWork(boolean kept) {
			this.kept = kept;
		}

		private boolean take(Object occupant) {
			return this.occupant.get() == null && this.occupant.compareAndSet(null, occupant);
		}

		@Override
		public Leadership leadership() {
			return InFlightCalls.this.term;
		}

		@Override
		public boolean end() {
			Term term = InFlightCalls.this.term;
			if (this.thread != Thread.currentThread() || CurrentLeadership.get() != term) {
				throw new IllegalStateException(
						"Work under the leadership of '%s' is ended by the thread that began it, inner work first"
							.formatted(term.token().election()));
			}
			Leadership outer = this.outer;
			CurrentLeadership.set(outer);
			this.thread = null;
			this.outer = null;
			if (leaveInterrupted() && enclosing(outer).stream()
				.anyMatch((around) -> around.inFlightCalls().hasInterruptedThisThread())) {
				Thread.currentThread().interrupt();
			}
			boolean lasted = term.isHeld();
			term.exit();
			return lasted;
		}

		private boolean leaveInterrupted() {
			if (!this.kept) {
				InFlightCalls.this.more.remove(this);
			}
			Object present = this.occupant.get();
			if (!(present instanceof Interrupted) && this.occupant.compareAndSet(present, null)) {
				return false;
			}
			endInterrupt();
			return true;
		}

		/** It was meant for this work, and for nothing that the thread does later. */
		private synchronized void endInterrupt() {
			Thread.interrupted();
			this.occupant.set(null);
		}

		/** Holds {@link #endInterrupt()} up until the thread has been interrupted. */
		private synchronized void dismiss() {
			if (this.occupant.get() instanceof Thread working
					&& this.occupant.compareAndSet(working, new Interrupted(working))) {
				working.interrupt();
			}
		}

		/** Holds {@link #endInterrupt()} up as {@link #dismiss()} does. */
		private synchronized void interruptAgain() {
			if (this.occupant.get() instanceof Interrupted interrupted) {
				interrupted.thread.interrupt();
			}
		}

	}

	/**
	 * In place of a thread that was interrupted.
	 */
	private record Interrupted(Thread thread) {
	}

}
