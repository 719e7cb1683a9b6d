package io.leaderelection.jdbc.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The sessions of the nodes that lead elections in which this node is a candidate, and
 * which of these sessions have ended.
 */
final class LeadingSessions {

	private final long takeoverDelay;

	private final Map<String, Long> leaders = new HashMap<>();

	/** From when on the leases of an ended session may be taken. */
	private final Map<Long, Long> takeableAt = new HashMap<>();

	private final Set<Long> announced = new HashSet<>();

	private @Nullable SessionMark own;

	/**
	 * No sessions.
	 * @param takeoverDelay how long a lease is left alone whose session has ended
	 */
	LeadingSessions(Duration takeoverDelay) {
		this.takeoverDelay = takeoverDelay.toNanos();
	}

	/** Says which session is this node's own, if it has one. */
	synchronized void own(@Nullable SessionMark own) {
		this.own = own;
		this.leaders.clear();
		this.takeableAt.clear();
		this.announced.clear();
		notifyAll();
	}

	/** Takes note of who leads. A session of another server cannot be waited for. */
	synchronized void observed(Set<String> elections, Map<String, SessionMark> leaders) {
		SessionMark present = this.own;
		this.leaders.keySet().removeAll(elections);
		leaders.forEach((election, leader) -> {
			if (present != null && leader.isOfSameServer(present) && leader.key() != present.key()) {
				this.leaders.put(election, leader.key());
			}
		});
		this.takeableAt.keySet().retainAll(this.leaders.values());
		this.announced.retainAll(this.takeableAt.keySet());
		notifyAll();
	}

	/**
	 * What to wait for.
	 * @param over whether to stop
	 * @return the next slice; none if there was nothing to wait for in that time
	 */
	synchronized @Nullable Slice next(Duration patience, BooleanSupplier over) throws InterruptedException {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!over.getAsBoolean()) {
			long now = System.nanoTime();
			long due = due(now);
			NavigableSet<Long> keys = new TreeSet<>(this.leaders.values());
			keys.removeAll(this.takeableAt.keySet());
			if (this.own != null && (!keys.isEmpty() || due <= 0)) {
				return new Slice(this.own.key(), keys, Duration.ofNanos(due));
			}
			if (deadline <= now) {
				return null;
			}
			// rounded up: zero would mean for ever
			wait(Math.min(deadline - now, due) / 1_000_000 + 1);
		}
		return null;
	}

	/** How long until the leases of another session may be taken. */
	private long due(long now) {
		return this.takeableAt.entrySet()
			.stream()
			.filter((entry) -> !this.announced.contains(entry.getKey()))
			.mapToLong((entry) -> entry.getValue() - now)
			.min()
			.orElse(Long.MAX_VALUE);
	}

	/** Takes note of the end of sessions. */
	synchronized void ended(Collection<Long> keys) {
		long takeable = System.nanoTime() + this.takeoverDelay;
		for (Long key : keys) {
			if (this.leaders.containsValue(key)) {
				this.takeableAt.putIfAbsent(key, takeable);
			}
		}
	}

	/** The elections whose leases may be taken now, each once. */
	synchronized List<String> announce() {
		List<Long> ended = new ArrayList<>(endedLongAgo());
		ended.removeAll(this.announced);
		this.announced.addAll(ended);
		return this.leaders.keySet().stream().filter((name) -> ended.contains(this.leaders.get(name))).toList();
	}

	/**
	 * The sessions whose leases may be taken before they expire.
	 * @return their keys; {@code null} if it is enough that they have ended
	 */
	synchronized @Nullable Collection<Long> takeable() {
		return (this.takeoverDelay > 0) ? endedLongAgo() : null;
	}

	private List<Long> endedLongAgo() {
		long now = System.nanoTime();
		return this.takeableAt.keySet().stream().filter((key) -> this.takeableAt.get(key) <= now).sorted().toList();
	}

	/** Waits, unless it is to stop. */
	synchronized void pause(Duration pause, BooleanSupplier over) throws InterruptedException {
		long deadline = System.nanoTime() + pause.toNanos();
		for (long left = pause.toNanos(); left > 0 && !over.getAsBoolean(); left = deadline - System.nanoTime()) {
			wait(left / 1_000_000 + 1);
		}
	}

	/** Lets those who wait see that they need not. */
	synchronized void disturb() {
		notifyAll();
	}

	/**
	 * What to wait for in one go.
	 *
	 * @param own the key of this node's own session
	 * @param keys those of the sessions that lead; none if there is only time to wait for
	 * @param longest for how long at the most
	 */
	record Slice(long own, NavigableSet<Long> keys, Duration longest) {

		/**
		 * The one to wait for: if all nodes choose the next higher key than their own,
		 * each leader is watched by at least one node.
		 */
		long target() {
			Long higher = this.keys.higher(this.own);
			return (higher != null) ? higher : this.keys.first();
		}

	}

}
