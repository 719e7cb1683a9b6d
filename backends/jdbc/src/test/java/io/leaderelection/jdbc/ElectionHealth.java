package io.leaderelection.jdbc;

import io.leaderelection.LeaderElections;
import io.leaderelection.actuate.LeaderElectionActuatorAutoConfiguration;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * The health of elections that are not beans.
 */
final class ElectionHealth {

	private ElectionHealth() {
	}

	@SuppressWarnings("resource")
	static HealthIndicator of(LeaderElections elections) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getBeanFactory().registerSingleton("leaderElections", elections);
		context.register(Imports.class);
		context.refresh();
		return context.getBean(HealthIndicator.class);
	}

	@ImportAutoConfiguration(LeaderElectionActuatorAutoConfiguration.class)
	static class Imports {

	}

}
