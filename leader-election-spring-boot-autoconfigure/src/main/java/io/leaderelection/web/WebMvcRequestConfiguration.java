package io.leaderelection.web;

import java.util.List;

import io.leaderelection.LeaderElections;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Arguments and answers in Spring MVC.
 */
@Configuration(proxyBeanMethods = false)
public class WebMvcRequestConfiguration extends RequestConfiguration {

	/** Before those that take any interface for something of theirs. */
	@Bean
	@Order(0)
	WebMvcConfigurer leaderElectionWebMvcConfigurer(CallerTokens callerTokens,
			ObjectProvider<LeaderElections> leaderElections, ObjectProvider<HandlerElectionResolver> strategies,
			ConfigurableBeanFactory beanFactory) {
		OwnLeadership own = new OwnLeadership(leaderElections, strategies.orderedStream().toList());
		return new WebMvcConfigurer() {

			@Override
			public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
				resolvers.add(new CallerTokenArgumentResolver(callerTokens, beanFactory));
				resolvers.add(new LeadershipArgumentResolver(own));
			}

		};
	}

	@Bean
	ProblemExceptionResolver leaderElectionProblemExceptionResolver(LeaderElectionProblems problems) {
		return new ProblemExceptionResolver(problems);
	}

}
