package io.leaderelection.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} that gives refusals their HTTP
 * status, and lets the name of an election have slashes in it: servers do not take them
 * encoded.
 */
@EndpointWebExtension(endpoint = LeaderEndpoint.class)
@RegisterReflectionForBinding({ ElectionDescription.class, Outcome.class, Refusal.class })
class LeaderEndpointWebExtension {

	private final LeaderEndpoint endpoint;

	/**
	 * An extension of the endpoint.
	 * @param endpoint the endpoint
	 */
	public LeaderEndpointWebExtension(LeaderEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * One election.
	 * @param election its name
	 * @return what this node knows of it, or that there is none
	 */
	@ReadOperation
	public WebEndpointResponse<?> election(@Selector String election) {
		ElectionDescription description = this.endpoint.election(election);
		return (description != null) ? new WebEndpointResponse<>(description)
				: refusal(this.endpoint.unknown(election));
	}

	/**
	 * One election with slashes in its name.
	 * @param election what is between the slashes
	 * @return what this node knows of it, or that there is none
	 */
	@ReadOperation
	public WebEndpointResponse<?> electionWithSlashes(@Selector(match = Match.ALL_REMAINING) String... election) {
		return election(String.join("/", election));
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
			return refusal(Refusal.of(ex));
		}
	}

	/**
	 * Moves leadership of an election with slashes in its name.
	 * @param election what is between the slashes
	 * @param action as for {@link #act}
	 * @param to as for {@link #act}
	 * @param holdOff as for {@link #act}
	 * @return as for {@link #act}
	 */
	@WriteOperation
	public WebEndpointResponse<?> actWithSlashes(@Selector(match = Match.ALL_REMAINING) String[] election,
			@Nullable String action, @Nullable String to, @Nullable String holdOff) {
		return act(String.join("/", election), action, to, holdOff);
	}

	static WebEndpointResponse<Refusal> refusal(Refusal refusal) {
		return new WebEndpointResponse<>(refusal, refusal.status());
	}

}
