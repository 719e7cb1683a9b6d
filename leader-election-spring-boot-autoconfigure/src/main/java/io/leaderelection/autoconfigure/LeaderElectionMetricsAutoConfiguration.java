package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.metrics.LeaderElectionMetrics;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderElectionMetrics}. They
 * are switched off as all meters are: {@code management.metrics.enable.leader.election}.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, FencingAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ LeaderElections.class, MeterRegistry.class })
public final class LeaderElectionMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaderElectionMetrics leaderElectionMetrics(LeaderElections leaderElections) {
		return new LeaderElectionMetrics(leaderElections);
	}

	/** Also for meters that the application has made itself. */
	@Bean
	SmartInitializingSingleton leaderElectionStaleTokenMetrics(ObjectProvider<LeaderElectionMetrics> metrics,
			ObjectProvider<StaleTokens> staleTokens) {
		return () -> staleTokens
			.ifAvailable((tokens) -> metrics.forEach((counting) -> tokens.addListener(counting::refused)));
	}

}
