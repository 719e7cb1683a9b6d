package io.leaderelection.test.simulation;

import java.util.List;

/**
 * A promise was broken in a simulated run. The seed breaks it again.
 */
final class InvariantViolation extends AssertionError {

	private static final long serialVersionUID = 1L;

	private final long seed;

	private final String promise;

	private final transient List<String> trace;

	InvariantViolation(long seed, String promise, String message, List<String> trace) {
		super("seed %d broke %s: %s%s".formatted(seed, promise, message,
				trace.isEmpty() ? "" : "\n  " + String.join("\n  ", trace)));
		this.seed = seed;
		this.promise = promise;
		this.trace = trace;
	}

	/**
	 * The seed of the run.
	 * @return the seed
	 */
	public long seed() {
		return this.seed;
	}

	/**
	 * The promise that was broken, P1 to P7.
	 * @return the promise
	 */
	public String promise() {
		return this.promise;
	}

	/**
	 * What happened before, if the run was traced.
	 * @return one line for each event
	 */
	public List<String> trace() {
		return (this.trace != null) ? this.trace : List.of();
	}

}
