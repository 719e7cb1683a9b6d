package io.leaderelection.chaos.node;

import java.util.concurrent.locks.LockSupport;

/**
 * Threads of the program, which end with it.
 */
final class Threads {

	private Threads() {
	}

	static void daemon(String name, Runnable work) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
	}

	/** Lets time pass for this thread, which is not told of anything meanwhile. */
	static void rest(long millis) {
		long end = System.nanoTime() + millis * 1_000_000;
		for (long left = millis * 1_000_000; left > 0; left = end - System.nanoTime()) {
			Thread.interrupted();
			LockSupport.parkNanos(left);
		}
	}

}
