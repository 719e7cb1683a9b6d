package io.leaderelection.web;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.NotLeaderException;
import io.leaderelection.StaleLeaderException;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * The problem documents (RFC 9457) that answer a request which leadership stands in the
 * way of. An application that handles every exception itself asks here for the answer to
 * those that it does not know.
 */
public final class LeaderElectionProblems {

	/** 503: this node does not lead; nothing was begun. */
	public static final URI NOT_LEADER = type("not-leader");

	/** 503: leadership ended under the request; what was done is not known. */
	public static final URI LEADERSHIP_LOST = type("leadership-lost");

	/** 503: a fence refused what this node wrote under its own leadership. */
	public static final URI STALE_LEADER = type("stale-leader");

	/** 412: the token of the caller is lower than one seen before. */
	public static final URI STALE_TOKEN = type("stale-token");

	/** 400: the request has no token. */
	public static final URI MISSING_TOKEN = type("missing-token");

	/** 400: the token of the request cannot be read. */
	public static final URI MALFORMED_TOKEN = type("malformed-token");

	/** 400: the token of the request belongs to another election. */
	public static final URI OTHER_ELECTION = type("other-election");

	/** The member of a problem that is the refused token. */
	public static final String REFUSED_TOKEN = "refusedToken";

	/** The member of a problem that is the highest token. */
	public static final String NEWEST_TOKEN = "newestToken";

	private static final int DEEPEST_CAUSE = 16;

	private final CallerTokens tokens;

	private final RetryAfter retryAfter;

	LeaderElectionProblems(CallerTokens tokens, RetryAfter retryAfter) {
		this.tokens = tokens;
		this.retryAfter = retryAfter;
	}

	private static URI type(String name) {
		return URI.create("urn:problem-type:leader-election:" + name);
	}

	/**
	 * The answer to an exception, or to one that has caused it.
	 * @param failure the exception
	 * @param request the headers of the request
	 * @return the answer; empty if the exception has nothing to do with leadership
	 */
	public Optional<ErrorResponse> of(Throwable failure, HttpHeaders request) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
			Answer answer = answer(cause, request);
			if (answer != null) {
				return Optional.of(answer);
			}
			cause = cause.getCause();
		}
		return Optional.empty();
	}

	private @Nullable Answer answer(Throwable failure, HttpHeaders request) {
		if (failure instanceof NotLeaderException notLeader) {
			return notLeader(notLeader);
		}
		if (failure instanceof LeadershipLostException lost) {
			return Answer
				.of(HttpStatus.SERVICE_UNAVAILABLE, LEADERSHIP_LOST, "Leadership lost",
						("The leadership of '%s' ended while the request was handled. "
								+ "Whether its work was done is not known")
							.formatted(lost.token().election()))
				.with("election", lost.token().election());
		}
		if (failure instanceof StaleLeaderException stale) {
			return this.tokens.sent(stale.refused(), request) ? staleToken(stale) : staleLeader(stale);
		}
		if (failure instanceof CallerTokenException unusable) {
			return Answer.of(HttpStatus.BAD_REQUEST, unusable.type(), unusable.title(), unusable.getMessage());
		}
		return null;
	}

	private Answer notLeader(NotLeaderException notLeader) {
		Answer answer = Answer.of(HttpStatus.SERVICE_UNAVAILABLE, NOT_LEADER, "Not the leader", notLeader.getMessage())
			.with("election", notLeader.election());
		notLeader.leader().ifPresent((leader) -> answer.with("leader", leader.nodeId()));
		answer.headers().set(HttpHeaders.RETRY_AFTER, seconds(this.retryAfter.delay(notLeader.election())));
		return answer;
	}

	private static String seconds(Duration delay) {
		return Long.toString(Math.max(1, delay.plusNanos(999_999_999).toSeconds()));
	}

	private static Answer staleLeader(StaleLeaderException stale) {
		return Answer
			.of(HttpStatus.SERVICE_UNAVAILABLE, STALE_LEADER, "Stale leader",
					("This node led '%s' when it began to handle the request, but a newer leader has been at work "
							+ "and a write was refused. What was done before it is not known")
						.formatted(stale.refused().election()))
			.with("election", stale.refused().election());
	}

	private static Answer staleToken(StaleLeaderException stale) {
		return Answer.of(HttpStatus.PRECONDITION_FAILED, STALE_TOKEN, "Stale fencing token", stale.getMessage())
			.with("election", stale.refused().election())
			.with(REFUSED_TOKEN, digits(stale.refused()))
			.with(NEWEST_TOKEN, digits(stale.newest()));
	}

	/**
	 * As a string, since some readers of JSON have no whole numbers of 64 bits.
	 */
	private static String digits(FencingToken token) {
		return Long.toString(token.value());
	}

	/**
	 * An answer with a problem document.
	 */
	private record Answer(HttpHeaders headers, ProblemDetail document) implements ErrorResponse {

		static Answer of(HttpStatus status, URI type, String title, @Nullable String detail) {
			ProblemDetail document = ProblemDetail.forStatus(status);
			document.setType(type);
			document.setTitle(title);
			document.setDetail(detail + ".");
			return new Answer(new HttpHeaders(), document);
		}

		Answer with(String name, String value) {
			this.document.setProperty(name, value);
			return this;
		}

		@Override
		public HttpStatusCode getStatusCode() {
			return HttpStatusCode.valueOf(this.document.getStatus());
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public ProblemDetail getBody() {
			return this.document;
		}

	}

}
