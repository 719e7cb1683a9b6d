package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.leaderelection.StoreCall;

/**
 * Those who want to know how the store answers, each with a queue of its own.
 */
final class StoreCallListeners {

	private final Callbacks callbacks;

	private final List<Subscriber> subscribers = new ArrayList<>(0);

	StoreCallListeners(Callbacks callbacks) {
		this.callbacks = callbacks;
	}

	Subscriber add(Consumer<StoreCall> listener) {
		Subscriber subscriber = new Subscriber(listener, this.callbacks.queue());
		this.subscribers.add(subscriber);
		return subscriber;
	}

	void remove(Subscriber subscriber) {
		subscriber.closed = true;
		this.subscribers.remove(subscriber);
	}

	boolean isEmpty() {
		return this.subscribers.isEmpty();
	}

	void tell(StoreCall call) {
		for (Subscriber subscriber : this.subscribers) {
			subscriber.tell(call);
		}
	}

	/**
	 * A listener and its queue.
	 */
	static final class Subscriber {

		private final Consumer<StoreCall> listener;

		private final Callbacks.Queue queue;

		private volatile boolean closed;

		private Subscriber(Consumer<StoreCall> listener, Callbacks.Queue queue) {
			this.listener = listener;
			this.queue = queue;
		}

		private void tell(StoreCall call) {
			this.queue.submit(() -> {
				if (!this.closed) {
					this.listener.accept(call);
				}
			}, () -> {
			});
		}

	}

}
