package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.LeadershipEvent.Gained;
import io.leaderelection.LeadershipEvent.LeaderChanged;
import io.leaderelection.LeadershipEvent.Lost;
import io.leaderelection.LeadershipListener;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one election, each with a queue of its own. Every listener sees whole
 * leaderships: the loss of each one that it saw gained, and of no other.
 */
final class Listeners {

	private static final Runnable NOTHING = () -> {
	};

	private final Callbacks callbacks;

	private final List<Subscriber> subscribers = new ArrayList<>(1);

	Listeners(Callbacks callbacks) {
		this.callbacks = callbacks;
	}

	Subscriber add(LeadershipListener listener, @Nullable Gained present) {
		Subscriber subscriber = new Subscriber(listener, this.callbacks.queue());
		this.subscribers.add(subscriber);
		if (present != null) {
			subscriber.gained(present);
		}
		return subscriber;
	}

	void remove(Subscriber subscriber) {
		this.subscribers.remove(subscriber);
	}

	void gained(Gained event) {
		for (Subscriber subscriber : this.subscribers) {
			subscriber.gained(event);
		}
	}

	/**
	 * Tells of a loss.
	 * @return whether {@code whenAllTold} will be called; otherwise there was nobody to
	 * tell
	 */
	boolean lost(Lost event, Runnable whenAllTold) {
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
					whenAllTold.run();
				}
			});
		}
		return !concerned.isEmpty();
	}

	void leaderChanged(LeaderChanged event) {
		for (Subscriber subscriber : this.subscribers) {
			subscriber.leaderChanged(event);
		}
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

		/** Lets what is queued but has not begun not run. */
		void close() {
			this.closed = true;
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
