package io.leaderelection.engine;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import io.leaderelection.engine.StoreAccess.Operation;
import org.jspecify.annotations.Nullable;

/**
 * What the store does not answer to. It may answer to some operations and not to others,
 * so trouble with one lasts until that one succeeds, or is not needed any more.
 */
final class Trouble {

	private final EngineLog log;

	private final NodeClock clock;

	private final Set<Operation> failing = EnumSet.noneOf(Operation.class);

	private int failuresInARow;

	private int failures;

	private long failingSince;

	private @Nullable String lastError;

	Trouble(EngineLog log, NodeClock clock) {
		this.log = log;
		this.clock = clock;
	}

	int failuresInARow() {
		return this.failuresInARow;
	}

	/** How long the store has answered to nothing. */
	Duration unansweredFor() {
		return (this.failuresInARow > 0) ? Duration.ofNanos(this.clock.nanos() - this.failingSince) : Duration.ZERO;
	}

	Optional<String> lastError() {
		return Optional.ofNullable(this.lastError);
	}

	boolean isWith(Operation operation) {
		return this.failing.contains(operation);
	}

	/** Nothing was asked while this node stood for nothing. */
	void startAnew() {
		this.failuresInARow = 0;
	}

	void failed(Operation operation, Throwable failure) {
		if (this.failuresInARow == 0) {
			this.failingSince = this.clock.nanos();
		}
		this.failuresInARow++;
		this.failures++;
		this.lastError = failure.toString();
		if (this.failing.isEmpty()) {
			this.log.troubleBegan(failure);
		}
		this.failing.add(operation);
	}

	void succeeded(Operation operation, Predicate<Operation> isNeeded) {
		this.failuresInARow = 0;
		if (this.failing.isEmpty()) {
			return;
		}
		this.failing.removeIf((other) -> other == operation || !isNeeded.test(other));
		if (this.failing.isEmpty()) {
			this.log.troubleEnded(this.failures);
			this.failures = 0;
		}
	}

}
