package io.leaderelection.web;

import io.leaderelection.LeaderElections;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;

/**
 * Arguments and answers in Spring WebFlux.
 */
@Configuration(proxyBeanMethods = false)
public class WebFluxRequestConfiguration extends RequestConfiguration {

	/** Before those that take any interface for something of theirs. */
	@Bean
	@Order(0)
	WebFluxConfigurer leaderElectionWebFluxConfigurer(CallerTokens callerTokens,
			ObjectProvider<LeaderElections> leaderElections, ObjectProvider<HandlerElectionResolver> strategies,
			ConfigurableBeanFactory beanFactory) {
		OwnLeadership own = new OwnLeadership(leaderElections, strategies.orderedStream().toList());
		return new WebFluxConfigurer() {

			@Override
			public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
				configurer.addCustomResolver(new ReactiveCallerTokenArgumentResolver(callerTokens, beanFactory),
						new ReactiveLeadershipArgumentResolver(own));
			}

		};
	}

	@Bean
	ProblemWebExceptionHandler leaderElectionProblemWebExceptionHandler(LeaderElectionProblems problems) {
		return new ProblemWebExceptionHandler(problems);
	}

}
