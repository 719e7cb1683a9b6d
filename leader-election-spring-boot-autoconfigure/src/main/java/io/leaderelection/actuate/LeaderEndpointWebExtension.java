package io.leaderelection.actuate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} that gives refusals their HTTP
 * status.
 */
@EndpointWebExtension(endpoint = LeaderEndpoint.class)
public class LeaderEndpointWebExtension {

	private final LeaderEndpoint endpoint;

	/**
	 * An extension of the endpoint.
	 * @param endpoint the endpoint
	 */
	public LeaderEndpointWebExtension(LeaderEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Moves leadership.
	 * @param election the election's name
	 * @param action {@code step-down}, {@code transfer}, {@code pause} or {@code resume}
	 * @param to with {@code transfer}: the node that shall lead
	 * @param holdOff with {@code step-down}: how long this node stands aside
	 * @return what became of it, or why it was refused
	 */
	@WriteOperation
	public WebEndpointResponse<?> act(@Selector String election, @Nullable String action, @Nullable String to,
			@Nullable String holdOff) {
		try {
			Outcome outcome = this.endpoint.act(election, action, to, holdOff);
			return new WebEndpointResponse<>(outcome, outcome.complete() ? 200 : 202);
		}
		catch (RefusedActionException ex) {
			int status = switch (ex.kind()) {
				case BAD_REQUEST -> 400;
				case UNKNOWN_ELECTION -> 404;
				case NOT_LEADER -> 409;
				case STORE_UNREACHABLE -> 503;
			};
			return new WebEndpointResponse<>(new Refusal(status, String.valueOf(ex.getMessage()), ex.allowed()),
					status);
		}
	}

	/**
	 * Why nothing has changed.
	 *
	 * @param status the HTTP status
	 * @param detail what was wrong
	 * @param allowed what would have been right, where that is a choice
	 */
	public record Refusal(int status, String detail, List<String> allowed) {
	}

}
