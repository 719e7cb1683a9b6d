package io.leaderelection.actuate;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.leaderelection.LeaderElector;

/**
 * Who stands by.
 */
final class Standby {

	private static final long PATIENCE_MILLIS = 1000;

	private Standby() {
	}

	/**
	 * Asks the store. The status of the electors knows the answers; without one, those
	 * before.
	 * @param electors the electors
	 */
	static void ask(Collection<LeaderElector> electors) {
		CompletableFuture<?>[] questions = electors.stream()
			.map((elector) -> elector.operations().candidates())
			.map((question) -> question.handle((candidates, failure) -> true))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(questions).completeOnTimeout(null, PATIENCE_MILLIS, TimeUnit.MILLISECONDS).join();
	}

}
