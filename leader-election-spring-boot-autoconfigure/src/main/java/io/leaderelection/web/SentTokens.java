package io.leaderelection.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.StaleTokens;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;

/**
 * Decides which requests of this node's clients carry a token, and understands the answer
 * that refuses it.
 */
final class SentTokens {

	private static final Log logger = LogFactory.getLog(SentTokens.class);

	private final String header;

	private final TokenHosts hosts;

	private final ObjectProvider<StaleTokens> staleTokens;

	private final Set<String> redirecting = ConcurrentHashMap.newKeySet();

	SentTokens(String header, TokenHosts hosts, ObjectProvider<StaleTokens> staleTokens) {
		this.header = header;
		this.hosts = hosts;
		this.staleTokens = staleTokens;
	}

	String header() {
		return this.header;
	}

	/**
	 * The token that a request must carry.
	 * @param uri where it goes
	 * @param headers its headers
	 * @param leadership the leadership that it is made under
	 * @return the value of the header; {@code null} if there is none to be added
	 * @throws LeadershipLostException if the leadership has ended: a receiver that has
	 * not seen its successor yet would take the request
	 */
	@Nullable String valueFor(URI uri, HttpHeaders headers, @Nullable Leadership leadership) {
		if (leadership == null || headers.containsHeader(this.header) || !this.hosts.contains(uri)) {
			return null;
		}
		if (!leadership.isHeld()) {
			throw new LeadershipLostException(leadership.token());
		}
		return TokenHeader.format(leadership.token());
	}

	/**
	 * The token that a request carries to a host that may have it.
	 */
	Optional<FencingToken> tokenOf(URI uri, HttpHeaders headers) {
		String value = headers.getFirst(this.header);
		if (value == null || !this.hosts.contains(uri)) {
			return Optional.empty();
		}
		try {
			return Optional.of(TokenHeader.parse(value));
		}
		catch (CallerTokenException ex) {
			// one that the application has written in a way of its own
			return Optional.empty();
		}
	}

	/**
	 * Whether an answer may be a refusal, so that its body is worth reading.
	 */
	boolean mayRefuse(HttpStatusCode status, @Nullable MediaType contentType) {
		return status.isSameCodeAs(HttpStatus.PRECONDITION_FAILED)
				&& MediaType.APPLICATION_PROBLEM_JSON.equalsTypeAndSubtype(contentType);
	}

	/**
	 * Reads a refusal, and reports it.
	 * @param sent the token of the request
	 * @param body the problem document of the answer
	 * @return the refusal; empty if the document says something else
	 */
	Optional<StaleLeaderException> refusal(FencingToken sent, byte[] body) {
		try {
			Map<String, Object> document = JsonParserFactory.getJsonParser()
				.parseMap(new String(body, StandardCharsets.UTF_8));
			if (!LeaderElectionProblems.STALE_TOKEN.toString().equals(document.get("type"))
					|| number(document.get(LeaderElectionProblems.REFUSED_TOKEN)) != sent.value()) {
				return Optional.empty();
			}
			long newest = number(document.get(LeaderElectionProblems.NEWEST_TOKEN));
			return (newest > sent.value()) ? Optional.of(report(sent, newest)) : Optional.empty();
		}
		catch (JsonParseException | NumberFormatException ex) {
			return Optional.empty();
		}
	}

	private static long number(@Nullable Object value) {
		return Long.parseLong(String.valueOf(value));
	}

	private StaleLeaderException report(FencingToken sent, long newest) {
		StaleLeaderException refusal = new StaleLeaderException(sent, new FencingToken(sent.election(), newest));
		StaleTokens staleTokens = this.staleTokens.getIfAvailable();
		return (staleTokens != null) ? staleTokens.refused(refusal) : refusal;
	}

	/**
	 * Says once for each host why its redirects end here.
	 */
	void noteRedirect(URI uri, HttpStatusCode status, @Nullable URI location) {
		if (status.is3xxRedirection() && location != null && this.hosts.contains(uri)
				&& this.redirecting.add(uri.getAuthority())) {
			logger.warn(("%s redirects to %s. Redirects of hosts in %s are not followed, "
					+ "since the token would go along: call the other host directly")
				.formatted(uri.getAuthority(), location, TokenHosts.PROPERTY));
		}
	}

}
