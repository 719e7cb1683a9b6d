package io.leaderelection.web;

import io.leaderelection.fencing.Fence;
import io.leaderelection.fencing.InMemoryFence;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * What Spring MVC and Spring WebFlux need alike to handle requests.
 */
@EnableConfigurationProperties(WebLeaderElectionProperties.class)
abstract class RequestConfiguration {

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
