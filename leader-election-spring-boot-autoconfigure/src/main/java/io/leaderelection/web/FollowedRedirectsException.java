package io.leaderelection.web;

/**
 * An HTTP client follows redirects and cannot be told otherwise, so that it would take
 * tokens to hosts that they are not for.
 */
class FollowedRedirectsException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String action;

	FollowedRedirectsException(String client, Throwable cause) {
		this("%s cannot be told not to follow redirects, so that tokens could reach hosts that are not in %s"
			.formatted(client, TokenHosts.PROPERTY),
				"Choose another one by spring.http.clients.imperative.factory or "
						+ "spring.http.clients.reactive.connector, or leave the property out",
				cause);
	}

	private FollowedRedirectsException(String problem, String action, Throwable cause) {
		super(problem + ". " + action, cause);
		this.problem = problem;
		this.action = action;
	}

	String getProblem() {
		return this.problem + ".";
	}

	String getAction() {
		return this.action + ".";
	}

}
