package io.leaderelection.engine;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The consecutive failures of the store, per operation: a store may answer some
 * operations and reject others, so an operation fails until it succeeds or is not needed
 * any more. Only the operations that decide leadership count as an outage: a read-only
 * server answers every read, and grants nothing.
 */
final class StoreHealth {

	private final EngineLog log;

	private final NodeClock clock;

	private final Map<Operation, Failures> failing = new EnumMap<>(Operation.class);

	private int failures;

	private boolean logged;

	private boolean rejectionLogged;

	private @Nullable String lastError;

	StoreHealth(EngineLog log, NodeClock clock) {
		this.log = log;
		this.clock = clock;
	}

	/** How many calls have failed that acquire or renew. */
	int failuresInARow() {
		return failuresInARow(Operation.ACQUIRE) + failuresInARow(Operation.RENEW);
	}

	int failuresInARow(Operation operation) {
		Failures failures = this.failing.get(operation);
		return (failures != null) ? failures.count : 0;
	}

	/** For how long the store has neither acquired nor renewed what it was asked for. */
	Duration unansweredFor() {
		long now = this.clock.nanos();
		long longest = 0;
		for (Operation operation : new Operation[] { Operation.ACQUIRE, Operation.RENEW }) {
			Failures failures = this.failing.get(operation);
			longest = Math.max(longest, (failures != null && failures.count > 0) ? now - failures.since : 0);
		}
		return Duration.ofNanos(longest);
	}

	Optional<String> lastError() {
		return Optional.ofNullable(this.lastError);
	}

	/** A stopped node calls nothing, and the clock may have jumped meanwhile. */
	void startAnew() {
		this.failing.values().forEach((failures) -> failures.count = 0);
	}

	void failed(Operation operation, Throwable failure) {
		boolean rejected = failure instanceof LeaseStoreException exception && exception.isRejection();
		String error = describe(operation, failure, rejected);
		this.lastError = error;
		this.failing.computeIfAbsent(operation, (absent) -> new Failures()).add(this.clock.nanos());
		this.failures++;
		// a single late answer is normal on a busy machine, above all at its start
		boolean late = failure instanceof UnansweredCallException && this.failures == 1;
		if ((!this.logged && !late) || (rejected && !this.rejectionLogged)) {
			this.logged = true;
			this.rejectionLogged = rejected;
			this.log.storeFailed(error, failure);
		}
	}

	void succeeded(Operation operation, Predicate<Operation> isNeeded) {
		if (this.failing.isEmpty()) {
			return;
		}
		this.failing.keySet().removeIf((other) -> other == operation || !isNeeded.test(other));
		if (this.failing.isEmpty()) {
			if (this.logged) {
				this.log.storeRecovered(this.failures);
			}
			this.failures = 0;
			this.logged = false;
			this.rejectionLogged = false;
		}
	}

	private static String describe(Operation operation, Throwable failure, boolean rejected) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		String message = (failure instanceof LeaseStoreException && failure.getMessage() != null) ? failure.getMessage()
				: failure.toString();
		String detail = (root.getMessage() != null) ? root.getMessage() : root.getClass().getName();
		return "The lease store %s '%s': %s%s".formatted(rejected ? "rejects" : "does not answer",
				operation.name().toLowerCase(Locale.ROOT), message,
				message.contains(detail) ? "" : " (%s)".formatted(root));
	}

	/**
	 * The store did not answer in time.
	 */
	static final class UnansweredCallException extends LeaseStoreException {

		private static final long serialVersionUID = 1L;

		UnansweredCallException(Duration timeout) {
			super("There was no answer within " + timeout);
		}

	}

	/**
	 * The failures of one operation since it last succeeded.
	 */
	private static final class Failures {

		private long since;

		private int count;

		private void add(long now) {
			this.since = (this.count == 0) ? now : this.since;
			this.count++;
		}

	}

}
