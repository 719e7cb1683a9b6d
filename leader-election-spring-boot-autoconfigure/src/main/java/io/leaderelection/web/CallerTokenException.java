package io.leaderelection.web;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * A request does not bring the fencing token that it must bring. Answered with 400; a
 * token that is well-formed but stale is a
 * {@link io.leaderelection.StaleLeaderException}.
 */
public class CallerTokenException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final URI type;

	private final String title;

	private CallerTokenException(URI type, String title, String message) {
		super(message);
		this.type = type;
		this.title = title;
	}

	static CallerTokenException missing(String header) {
		return new CallerTokenException(LeaderElectionProblems.MISSING_TOKEN, "Missing fencing token",
				"The request must have a fencing token in the header '%s'".formatted(header));
	}

	static CallerTokenException malformed(@Nullable String reason) {
		return new CallerTokenException(LeaderElectionProblems.MALFORMED_TOKEN, "Malformed fencing token",
				"The fencing token of the request cannot be read: " + reason);
	}

	static CallerTokenException otherElection(String wanted, String given) {
		return new CallerTokenException(LeaderElectionProblems.OTHER_ELECTION, "Fencing token of another election",
				"The request must have a fencing token of the election '%s', but has one of '%s'".formatted(wanted,
						given));
	}

	/**
	 * The type of the problem document that answers it.
	 * @return one of the constants of {@link LeaderElectionProblems}
	 */
	public URI type() {
		return this.type;
	}

	String title() {
		return this.title;
	}

}
