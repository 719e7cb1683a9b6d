package io.leaderelection.integration;

import io.leaderelection.LeaderElections;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;

/**
 * {@link AutoConfiguration Auto-configuration} for the leadership events and roles of
 * Spring Integration.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(OnGrantedEvent.class)
@ConditionalOnBooleanProperty(name = "leader-election.integration.enabled", matchIfMissing = true)
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionIntegrationAutoConfiguration {

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
