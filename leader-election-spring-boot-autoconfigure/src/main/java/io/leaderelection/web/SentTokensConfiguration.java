package io.leaderelection.web;

import io.leaderelection.fencing.StaleTokens;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What all HTTP clients need alike to send tokens.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ HttpLeaderElectionProperties.class, WebLeaderElectionProperties.class })
class SentTokensConfiguration {

	@Bean
	TokenHosts leaderElectionTokenHosts(HttpLeaderElectionProperties properties) {
		return TokenHosts.of(properties.getTokenHosts());
	}

	@Bean
	SentTokens leaderElectionSentTokens(WebLeaderElectionProperties properties, TokenHosts hosts,
			ObjectProvider<StaleTokens> staleTokens) {
		return new SentTokens(properties.getTokenHeader(), hosts, staleTokens);
	}

}
