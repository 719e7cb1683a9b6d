package io.leaderelection.web;

import java.time.Duration;

import io.leaderelection.LeaderElections;
import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.InMemoryFence;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * What Spring MVC and Spring WebFlux need alike to handle requests.
 */
@EnableConfigurationProperties(WebLeaderElectionProperties.class)
abstract class RequestConfiguration {

	/** How long callers of a node that does not lead are told to wait. */
	@Bean
	@ConditionalOnMissingBean
	RetryAfter leaderElectionRetryAfter(WebLeaderElectionProperties properties,
			ObjectProvider<LeaderElections> leaderElections) {
		Duration fixed = properties.getRetryAfter();
		if (fixed != null) {
			return (election) -> fixed;
		}
		return (election) -> leaderElections.stream()
			.flatMap((elections) -> elections.find(election).stream())
			.map((elector) -> elector.settings().renewInterval())
			.findFirst()
			.orElse(Duration.ZERO);
	}

	/** Not a default candidate: whoever injects a fence means that of a resource. */
	@Bean(name = CallerTokens.FENCE_BEAN_NAME, defaultCandidate = false)
	@ConditionalOnMissingBean(name = CallerTokens.FENCE_BEAN_NAME)
	Fence requestFence() {
		return new InMemoryFence();
	}

	@Bean
	CallerTokens leaderElectionCallerTokens(WebLeaderElectionProperties properties,
			@Qualifier(CallerTokens.FENCE_BEAN_NAME) Fence fence) {
		return new CallerTokens(properties.getTokenHeader(), fence);
	}

	@Bean
	LeaderElectionProblems leaderElectionProblems(CallerTokens callerTokens, RetryAfter retryAfter) {
		return new LeaderElectionProblems(callerTokens, retryAfter);
	}

}
