package io.leaderelection.web;

import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.InMemoryFence;

import org.springframework.http.HttpHeaders;

/**
 * Reads and checks the tokens that callers send. What {@link CallerToken} does for
 * parameters of annotated handlers, for functional endpoints, filters and interceptors.
 */
public final class CallerTokens {

	/** The name of the bean that checks the tokens of requests. */
	public static final String FENCE_BEAN_NAME = "requestFence";

	private final String header;

	private final Fence fence;

	CallerTokens(String header, Fence fence) {
		this.header = header;
		this.fence = fence;
	}

	/**
	 * The name of the header that tokens are sent in.
	 * @return the name
	 */
	public String header() {
		return this.header;
	}

	/**
	 * Reads the token of a request, without checking it.
	 * @param headers the headers of the request
	 * @param election the election that it must belong to; empty for any
	 * @return the token; empty if the request has none
	 * @throws CallerTokenException if it cannot be read, belongs to another election, or
	 * is not the only one
	 */
	public Optional<FencingToken> read(HttpHeaders headers, String election) {
		return read(headers.getOrEmpty(this.header), election);
	}

	/**
	 * Lets a request pass that has a token, unless a higher one has passed before. Waits
	 * for the fence, which may be a database: not for an event loop.
	 * @param headers the headers of the request
	 * @param election the election that the token must belong to; empty for any
	 * @return the token
	 * @throws CallerTokenException if there is none, or as for {@link #read}
	 * @throws StaleLeaderException if a higher one has passed before
	 */
	public FencingToken admit(HttpHeaders headers, String election) {
		FencingToken token = read(headers, election).orElseThrow(() -> CallerTokenException.missing(this.header));
		check(token);
		return token;
	}

	Optional<FencingToken> read(List<String> values, String election) {
		if (values.isEmpty()) {
			return Optional.empty();
		}
		if (values.size() > 1) {
			throw CallerTokenException.malformed("the header '%s' is there more than once".formatted(this.header));
		}
		FencingToken token = TokenHeader.parse(values.get(0));
		if (!election.isEmpty() && !election.equals(token.election())) {
			throw CallerTokenException.otherElection(election, token.election());
		}
		return Optional.of(token);
	}

	void check(FencingToken token) {
		this.fence.check(token);
	}

	/**
	 * Whether a check needs no more than this process.
	 */
	boolean checksAtOnce() {
		return this.fence instanceof InMemoryFence;
	}

	/**
	 * Whether it is the caller's token, and not this node's own, that a fence refused.
	 */
	boolean sent(FencingToken refused, HttpHeaders headers) {
		try {
			return read(headers, refused.election()).filter(refused::equals).isPresent();
		}
		catch (CallerTokenException ex) {
			return false;
		}
	}

}
