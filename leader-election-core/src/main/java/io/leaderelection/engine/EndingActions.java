package io.leaderelection.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.leaderelection.Registration;

/**
 * What users want run when a leadership begins to end. Each runs once, and holds up
 * nothing.
 */
final class EndingActions {

	private final Callbacks callbacks;

	private final Set<Action> waiting = new LinkedHashSet<>(0);

	private boolean ending;

	EndingActions(Callbacks callbacks) {
		this.callbacks = callbacks;
	}

	Registration add(Runnable code) {
		Action action = new Action(code);
		if (!waits(action)) {
			run(action);
		}
		return () -> forget(action);
	}

	private synchronized boolean waits(Action action) {
		if (!this.ending) {
			this.waiting.add(action);
		}
		return !this.ending;
	}

	private synchronized void forget(Action action) {
		this.waiting.remove(action);
	}

	void runAll() {
		takeAll().forEach(this::run);
	}

	private synchronized List<Action> takeAll() {
		this.ending = true;
		List<Action> all = List.copyOf(this.waiting);
		this.waiting.clear();
		return all;
	}

	private void run(Action action) {
		this.callbacks.queue().submit(action.code, () -> {
		});
	}

	/** An object of its own for each registration of the same code. */
	private static final class Action {

		private final Runnable code;

		private Action(Runnable code) {
			this.code = Objects.requireNonNull(code, "action");
		}

	}

}
