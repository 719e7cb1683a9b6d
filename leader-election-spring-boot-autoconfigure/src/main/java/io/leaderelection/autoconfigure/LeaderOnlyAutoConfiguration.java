package io.leaderelection.autoconfigure;

import io.leaderelection.annotation.LeaderOnlyConfiguration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for
 * {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly}. Also without elections:
 * what nobody guards must not run in silence.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
public final class LeaderOnlyAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "leader-election.leader-only.enabled", matchIfMissing = true)
	@Import(LeaderOnlyConfiguration.class)
	static class Guarding {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "leader-election.leader-only.enabled", havingValue = false)
	static class NotGuarding {

		private static final Log logger = LogFactory.getLog(LeaderOnlyAutoConfiguration.class);

		NotGuarding() {
			logger.warn("leader-election.leader-only.enabled is false: methods with @LeaderOnly run on every node");
		}

	}

}
