package io.leaderelection.web.client;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration of the HTTP clients of this application.
 */
@ConfigurationProperties(HttpLeaderElectionProperties.PREFIX)
public class HttpLeaderElectionProperties {

	static final String PREFIX = "leader-election.http";

	/**
	 * Hosts that are sent the token of the leadership under which a request is made:
	 * "api.internal", "*.example.org" for all below it, each with or without a port. By
	 * default, nobody is.
	 */
	private List<String> tokenHosts = List.of();

	public List<String> getTokenHosts() {
		return this.tokenHosts;
	}

	public void setTokenHosts(List<String> tokenHosts) {
		this.tokenHosts = tokenHosts;
	}

}
