package io.leaderelection.web;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration of the requests that carry a token, and of the responses to requests that
 * this node cannot handle.
 */
@ConfigurationProperties(WebLeaderElectionProperties.PREFIX)
class WebLeaderElectionProperties {

	static final String PREFIX = "leader-election.web";

	private static final Pattern TOKEN_OF_HTTP = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

	/**
	 * Name of the header that carries fencing tokens, in requests to this application and
	 * in those that its clients send.
	 */
	private String tokenHeader = TokenHeader.DEFAULT_NAME;

	/**
	 * What a node that does not lead tells its callers to wait before they try again. By
	 * default, the renew interval of the election, and one second at least.
	 */
	private @Nullable Duration retryAfter;

	private final Client client = new Client();

	public String getTokenHeader() {
		return this.tokenHeader;
	}

	public void setTokenHeader(String tokenHeader) {
		if (!TOKEN_OF_HTTP.matcher(tokenHeader).matches()) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".token-header", tokenHeader,
					"The name of a header has letters, digits and hyphens only.");
		}
		this.tokenHeader = tokenHeader;
	}

	public @Nullable Duration getRetryAfter() {
		return this.retryAfter;
	}

	public void setRetryAfter(@Nullable Duration retryAfter) {
		if (retryAfter != null && (retryAfter.isNegative() || retryAfter.isZero())) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".retry-after", retryAfter,
					"It must be greater than zero.");
		}
		this.retryAfter = retryAfter;
	}

	public Client getClient() {
		return this.client;
	}

	/**
	 * Configuration of the HTTP clients of this application.
	 */
	public static class Client {

		/**
		 * Hosts that are sent the token of the leadership under which a request is made:
		 * "api.internal", "*.example.org" for all below it, each with or without a port.
		 * By default, nobody is.
		 */
		private List<String> tokenHosts = List.of();

		public List<String> getTokenHosts() {
			return this.tokenHosts;
		}

		public void setTokenHosts(List<String> tokenHosts) {
			this.tokenHosts = tokenHosts;
		}

	}

}
