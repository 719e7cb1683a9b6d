package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.Leader;
import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import io.leaderelection.LossReason;
import io.leaderelection.Transition;
import org.jspecify.annotations.Nullable;

/**
 * Announces the transitions of an election to its listeners and to the log, and keeps the
 * last ones for its status. Each listener has a queue of its own, and sees whole
 * leaderships: the loss of each one that it saw gained, and of no other (P7).
 */
final class Transitions {

	static final int LENGTH = 20;

	private static final Runnable NOTHING = () -> {
	};

	private final NodeState node;

	private final Callbacks callbacks;

	private final List<Subscriber> subscribers = new ArrayList<>(1);

	private final EngineLog log;

	private final Deque<Transition> last = new ArrayDeque<>(1);

	private @Nullable Instant gainedAt;

	private @Nullable Instant lastRenewal;

	private @Nullable Duration lastRoundTrip;

	Transitions(NodeState node, Callbacks callbacks, EngineLog log) {
		this.node = node;
		this.callbacks = callbacks;
		this.log = log;
	}

	/** Adds a listener; it sees the present leadership, if any, as gained. */
	Subscriber subscribe(LeadershipListener listener, @Nullable Term present) {
		Subscriber subscriber = new Subscriber(listener, this.callbacks.queue());
		this.subscribers.add(subscriber);
		if (present != null) {
			subscriber.gained(event(present));
		}
		return subscriber;
	}

	/** Removes a listener; what is queued for it but has not begun does not run. */
	void unsubscribe(Subscriber subscriber) {
		subscriber.closed = true;
		this.subscribers.remove(subscriber);
	}

	void gained(Term term) {
		Gained event = event(term);
		keep(new Transition(Transition.Kind.GAINED, term.token(), Optional.empty(), event.at()));
		this.lastRenewal = event.at();
		this.gainedAt = event.at();
		this.subscribers.forEach((subscriber) -> subscriber.gained(event));
		this.log.gained(event);
	}

	private Gained event(Term term) {
		return new Gained(term, this.node.nodeId(), this.node.wallTime());
	}

	/**
	 * Announces a loss.
	 * @return whether {@code whenDone} will run; otherwise there is no listener
	 */
	boolean lost(Term term, LossReason reason, Runnable whenDone) {
		Lost event = new Lost(term.token(), this.node.nodeId(), reason, this.node.wallTime());
		keep(new Transition(Transition.Kind.LOST, term.token(), Optional.of(reason), event.at()));
		List<Subscriber> concerned = new ArrayList<>(this.subscribers.size());
		for (Subscriber subscriber : this.subscribers) {
			if (subscriber.gainedToken == event.token().value()) {
				concerned.add(subscriber);
			}
		}
		AtomicInteger untold = new AtomicInteger(concerned.size());
		for (Subscriber subscriber : concerned) {
			subscriber.lost(event, () -> {
				if (untold.decrementAndGet() == 0) {
					whenDone.run();
				}
			});
		}
		this.log.lost(event);
		return !concerned.isEmpty();
	}

	void leaderChanged(Leader leader, Optional<Leader> previous, Optional<Duration> vacancy) {
		LeaderChanged event = new LeaderChanged(leader, previous, vacancy, this.node.wallTime());
		this.subscribers.forEach((subscriber) -> subscriber.leaderChanged(event));
	}

	private void keep(Transition transition) {
		if (this.last.size() == LENGTH) {
			this.last.removeFirst();
		}
		this.last.addLast(transition);
	}

	void answered(Duration roundTrip) {
		this.lastRoundTrip = roundTrip;
	}

	void renewed(Duration roundTrip) {
		this.lastRoundTrip = roundTrip;
		this.lastRenewal = this.node.wallTime();
	}

	/** Oldest first. */
	List<Transition> last() {
		return List.copyOf(this.last);
	}

	Optional<Instant> gainedAt() {
		return Optional.ofNullable(this.gainedAt);
	}

	Optional<Duration> lastRoundTrip() {
		return Optional.ofNullable(this.lastRoundTrip);
	}

	Optional<Instant> lastRenewal() {
		return Optional.ofNullable(this.lastRenewal);
	}

	/**
	 * A listener and its queue.
	 */
	static final class Subscriber {

		private final LeadershipListener listener;

		private final Callbacks.Queue queue;

		private volatile boolean closed;

		private long gainedToken;

		private Subscriber(LeadershipListener listener, Callbacks.Queue queue) {
			this.listener = listener;
			this.queue = queue;
		}

		private void gained(Gained event) {
			this.gainedToken = event.token().value();
			submit(() -> this.listener.gained(event), NOTHING);
		}

		private void lost(Lost event, Runnable whenDone) {
			submit(() -> this.listener.lost(event), whenDone);
		}

		private void leaderChanged(LeaderChanged event) {
			submit(() -> this.listener.leaderChanged(event), NOTHING);
		}

		private void submit(Runnable call, Runnable whenDone) {
			this.queue.submit(() -> {
				if (!this.closed) {
					call.run();
				}
			}, whenDone);
		}

	}

	/** Makes a listener out of an action for gains. */
	static LeadershipListener onGained(Runnable action) {
		return new LeadershipListener() {

			@Override
			public void gained(Gained event) {
				action.run();
			}

		};
	}

	/** Makes a listener out of an action for losses. */
	static LeadershipListener onLost(Runnable action) {
		return new LeadershipListener() {

			@Override
			public void lost(Lost event) {
				action.run();
			}

		};
	}

}
