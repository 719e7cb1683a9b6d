package io.leaderelection.store;

import org.jspecify.annotations.Nullable;

/**
 * A failure of a store that says what a person can do about it. Should it end the start
 * of a Spring Boot application, that is what is printed.
 */
public class ExplainedLeaseStoreException extends LeaseStoreException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String action;

	/**
	 * A failure and its remedy.
	 * @param message both, or what matters of them, on one line
	 * @param problem what is wrong, as a sentence that need not have its full stop
	 * @param action what to do, likewise
	 * @param cause what was thrown; none if it was found out otherwise
	 */
	public ExplainedLeaseStoreException(String message, String problem, String action, @Nullable Throwable cause) {
		this(message, problem, action, cause, false);
	}

	/**
	 * A failure and its remedy.
	 * @param message both, or what matters of them, on one line
	 * @param problem what is wrong, as a sentence that need not have its full stop
	 * @param action what to do, likewise
	 * @param cause what was thrown; none if it was found out otherwise
	 * @param rejection whether the store answered, and rejected the request
	 */
	public ExplainedLeaseStoreException(String message, String problem, String action, @Nullable Throwable cause,
			boolean rejection) {
		super(message, cause, rejection);
		this.problem = problem;
		this.action = action;
	}

	/**
	 * What is wrong.
	 * @return the problem
	 */
	public final String getProblem() {
		return this.problem;
	}

	/**
	 * What to do.
	 * @return the action
	 */
	public final String getAction() {
		return this.action;
	}

}
