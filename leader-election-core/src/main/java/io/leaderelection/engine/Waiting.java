package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for an outcome on behalf of a blocking caller.
 */
public final class Waiting {

	private Waiting() {
	}

	/**
	 * Waits for a limited time.
	 * @param timeout the longest time
	 * @param outcome completed with the outcome
	 * @return the outcome; empty if it did not come in time or the caller was
	 * interrupted, whose interrupt status is then kept
	 */
	public static <T> Optional<T> atMost(Duration timeout, CompletableFuture<T> outcome) {
		try {
			return Optional.ofNullable(outcome.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex.getCause());
		}
	}

}
