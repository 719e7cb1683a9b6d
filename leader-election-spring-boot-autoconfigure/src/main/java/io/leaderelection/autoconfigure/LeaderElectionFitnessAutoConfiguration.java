package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for nodes that stand aside while they are
 * not ready or, if they are told to, not healthy.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBean(LeaderElections.class)
@Import(HealthWatchImports.class)
public final class LeaderElectionFitnessAutoConfiguration {

	@Bean
	@ConditionalOnBooleanProperty(name = "leader-election.stand-only-when-ready", matchIfMissing = true)
	@ConditionalOnMissingBean
	ReadinessWatch leaderElectionReadinessWatch(LeaderElections elections) {
		return new ReadinessWatch(elections);
	}

}
