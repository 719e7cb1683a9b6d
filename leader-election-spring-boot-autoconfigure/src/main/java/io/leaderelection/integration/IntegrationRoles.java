package io.leaderelection.integration;

import io.leaderelection.LeaderElections;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.integration.endpoint.AbstractEndpoint;

/**
 * Lets endpoints wait that have an election for their role. The context would start them
 * on every node, and only the first loss of leadership would stop them.
 */
class IntegrationRoles implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(IntegrationRoles.class);

	private final LeaderElections elections;

	private final ListableBeanFactory beanFactory;

	IntegrationRoles(LeaderElections elections, ListableBeanFactory beanFactory) {
		this.elections = elections;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.beanFactory.getBeansOfType(AbstractEndpoint.class).forEach((name, endpoint) -> {
			String role = endpoint.getRole();
			if (role != null && endpoint.isAutoStartup() && this.elections.find(role).isPresent()) {
				endpoint.setAutoStartup(false);
				logger.debug("The endpoint '%s' waits until this node leads '%s'".formatted(name, role));
			}
		});
	}

}
