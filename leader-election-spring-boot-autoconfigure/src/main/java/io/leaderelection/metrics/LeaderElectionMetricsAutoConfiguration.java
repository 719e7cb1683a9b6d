package io.leaderelection.metrics;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.GuardedCallObserver;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for meters and observations.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, FencingAutoConfiguration.class,
		LeaderOnlyAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionMetricsAutoConfiguration {

	/**
	 * Meters. They are disabled like all meters:
	 * {@code management.metrics.enable.leader.election}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MeterConfiguration {

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

	/**
	 * Observations of the calls of
	 * {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly} methods. They are
	 * disabled like all observations: {@code management.observations.enable.leader.only}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ObservationRegistry.class)
	@ConditionalOnBooleanProperty(name = "leader-election.leader-only.enabled", matchIfMissing = true)
	@ConditionalOnBean(ObservationRegistry.class)
	static class ObservationConfiguration {

		@Bean
		@ConditionalOnMissingBean(GuardedCallObserver.class)
		LeaderOnlyObservations leaderOnlyObservations(ObservationRegistry registry, LeaderElections leaderElections,
				ObjectProvider<LeaderOnlyObservationConvention> convention) {
			return new LeaderOnlyObservations(registry, leaderElections, convention.getIfAvailable());
		}

	}

}
