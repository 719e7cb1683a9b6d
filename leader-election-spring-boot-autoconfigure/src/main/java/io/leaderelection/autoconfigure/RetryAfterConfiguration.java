package io.leaderelection.autoconfigure;

import java.time.Duration;

import io.leaderelection.web.RetryAfter;
import io.leaderelection.web.WebLeaderElectionProperties;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * How long callers of a node that does not lead are told to wait.
 */
@Configuration(proxyBeanMethods = false)
class RetryAfterConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RetryAfter leaderElectionRetryAfter(WebLeaderElectionProperties properties,
			ObjectProvider<ConfiguredSettings> settings) {
		Duration fixed = properties.getRetryAfter();
		if (fixed != null) {
			return (election) -> fixed;
		}
		ConfiguredSettings known = settings.getIfAvailable();
		return (known != null) ? (election) -> known.of(election).renewInterval() : (election) -> Duration.ZERO;
	}

}
