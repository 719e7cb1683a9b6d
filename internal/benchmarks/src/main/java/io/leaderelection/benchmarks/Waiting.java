package io.leaderelection.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The two ways to wait here: for something, or for as long as a fault or a measurement is
 * meant to last.
 */
public final class Waiting {

	private Waiting() {
	}

	/**
	 * Waits for something.
	 * @param condition what for
	 * @param every how often to look
	 * @param patience for how long, at the most
	 * @return whether it came in time
	 */
	public static boolean until(Condition condition, Duration every, Duration patience) throws InterruptedException {
		long deadline = System.nanoTime() + patience.toNanos();
		while (!condition.holds()) {
			if (System.nanoTime() > deadline) {
				return false;
			}
			pass(every);
		}
		return true;
	}

	/**
	 * Lets time pass.
	 * @param time how much
	 */
	public static void pass(Duration time) throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(time.toNanos());
	}

	/**
	 * Something that may come true.
	 */
	@FunctionalInterface
	public interface Condition {

		boolean holds() throws InterruptedException;

	}

}
