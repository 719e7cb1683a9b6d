package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.actuate.LeaderElectionHealthIndicator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderElectionHealthIndicator}.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("leader-election")
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "leaderElectionHealthIndicator")
	LeaderElectionHealthIndicator leaderElectionHealthIndicator(LeaderElections leaderElections) {
		return new LeaderElectionHealthIndicator(leaderElections);
	}

}
