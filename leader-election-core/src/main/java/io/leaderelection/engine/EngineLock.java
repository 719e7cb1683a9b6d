package io.leaderelection.engine;

import java.util.function.Supplier;

/**
 * The only entrance of the engine: events run one at a time, and after each of them, also
 * one that throws, the engine does what is due.
 */
final class EngineLock {

	private final Object lock = new Object();

	private final Runnable afterEach;

	EngineLock(Runnable afterEach) {
		this.afterEach = afterEach;
	}

	void enter(Runnable event) {
		synchronized (this.lock) {
			try {
				event.run();
			}
			finally {
				this.afterEach.run();
			}
		}
	}

	<T> T read(Supplier<T> reading) {
		synchronized (this.lock) {
			return reading.get();
		}
	}

}
