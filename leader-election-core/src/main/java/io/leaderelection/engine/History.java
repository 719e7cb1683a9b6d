package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import io.leaderelection.Transition;
import org.jspecify.annotations.Nullable;

/**
 * What people may want to know of an election later. Nothing is decided by it.
 */
final class History {

	static final int LENGTH = 20;

	private final Deque<Transition> transitions = new ArrayDeque<>(1);

	private @Nullable Duration lastRoundTrip;

	private @Nullable Instant lastRenewal;

	void changed(Transition transition) {
		if (this.transitions.size() == LENGTH) {
			this.transitions.removeFirst();
		}
		this.transitions.addLast(transition);
	}

	void answered(Duration roundTrip) {
		this.lastRoundTrip = roundTrip;
	}

	void renewed(Instant at) {
		this.lastRenewal = at;
	}

	/** Oldest first. */
	List<Transition> transitions() {
		return List.copyOf(this.transitions);
	}

	Optional<Duration> lastRoundTrip() {
		return Optional.ofNullable(this.lastRoundTrip);
	}

	Optional<Instant> lastRenewal() {
		return Optional.ofNullable(this.lastRenewal);
	}

}
