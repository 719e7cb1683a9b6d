package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.leaderelection.store.WakeUps;

/**
 * Passes hints on to all who watch. A hint that came when nobody did is made up for by
 * one that concerns all.
 */
final class Hints {

	private final List<WakeUps> listeners = new CopyOnWriteArrayList<>();

	private boolean missed;

	void add(WakeUps listener) {
		boolean makeUp;
		synchronized (this) {
			this.listeners.add(listener);
			makeUp = this.missed;
			this.missed = false;
		}
		if (makeUp) {
			listener.wakeUpAll();
		}
	}

	/**
	 * Takes a listener away.
	 * @return whether it was the last
	 */
	synchronized boolean remove(WakeUps listener) {
		return this.listeners.remove(listener) && this.listeners.isEmpty();
	}

	void wakeUp(String election) {
		takeNote();
		for (WakeUps listener : this.listeners) {
			listener.wakeUp(election);
		}
	}

	void wakeUp(String election, Duration turn) {
		takeNote();
		for (WakeUps listener : this.listeners) {
			listener.wakeUp(election, turn);
		}
	}

	void wakeUpAll() {
		takeNote();
		for (WakeUps listener : this.listeners) {
			listener.wakeUpAll();
		}
	}

	private synchronized void takeNote() {
		this.missed = this.listeners.isEmpty();
	}

}
