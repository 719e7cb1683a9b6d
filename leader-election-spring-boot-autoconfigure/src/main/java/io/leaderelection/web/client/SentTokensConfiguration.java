package io.leaderelection.web.client;

import io.leaderelection.web.WebLeaderElectionProperties;
import io.leaderelection.fencing.StaleTokens;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * What all HTTP clients need alike to send tokens.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ HttpLeaderElectionProperties.class, WebLeaderElectionProperties.class })
class SentTokensConfiguration {

	@Bean
	TokenHosts leaderElectionTokenHosts(HttpLeaderElectionProperties properties, Environment environment) {
		return TokenHosts.of(properties.getTokenHosts(), environment.containsProperty(TokenHosts.PROPERTY));
	}

	@Bean
	SentTokens leaderElectionSentTokens(WebLeaderElectionProperties properties, TokenHosts hosts,
			ObjectProvider<StaleTokens> staleTokens) {
		return new SentTokens(properties.getTokenHeader(), hosts, staleTokens);
	}

}
