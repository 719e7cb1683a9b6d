package io.leaderelection.event;

import io.leaderelection.LeaderElections;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Publishes changes of leadership in an application that has {@link LeaderElections}.
 */
@Configuration(proxyBeanMethods = false)
public class LeadershipEventConfiguration {

	/**
	 * Also when everything is initialized lazily: nobody asks for this bean. One context
	 * publishes for all of its children, whose events would come here, too.
	 */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	LeadershipEventPublisher leadershipEventPublisher(LeaderElections leaderElections,
			ApplicationEventPublisher publisher) {
		return new LeadershipEventPublisher(leaderElections, publisher);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeadershipEventListenerFactory leadershipEventListenerFactory() {
		return new LeadershipEventListenerFactory();
	}

}
