package io.leaderelection.integration;

import io.leaderelection.LeaderElections;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.SmartLifecycleRoleController;

/**
 * Tells Spring Integration of leadership in an application that has
 * {@link LeaderElections}.
 */
@Configuration(proxyBeanMethods = false)
public class IntegrationConfiguration {

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	IntegrationEvents leaderElectionIntegrationEvents(LeaderElections leaderElections,
			ObjectProvider<LeaderEventPublisher> publishers, ApplicationEventPublisher events,
			ObjectProvider<SmartLifecycleRoleController> endpoints) {
		return new IntegrationEvents(leaderElections,
				publishers.getIfUnique(() -> new DefaultLeaderEventPublisher(events)), endpoints::getIfUnique);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	IntegrationRoles leaderElectionIntegrationRoles(LeaderElections leaderElections, ListableBeanFactory beanFactory) {
		return new IntegrationRoles(leaderElections, beanFactory);
	}

}
