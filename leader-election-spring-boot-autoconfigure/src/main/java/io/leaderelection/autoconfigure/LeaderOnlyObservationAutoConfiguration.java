package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.GuardedCallObserver;
import io.leaderelection.annotation.LeaderOnlyMethods;
import io.leaderelection.metrics.LeaderOnlyObservationConvention;
import io.leaderelection.metrics.LeaderOnlyObservations;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for observations of the calls of
 * {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly} methods. They are switched
 * off as all observations are: {@code management.observations.enable.leader.only}.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(value = { LeaderElections.class, ObservationRegistry.class }, name = LeaderOnlyMethods.BEAN_NAME)
public final class LeaderOnlyObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(GuardedCallObserver.class)
	LeaderOnlyObservations leaderOnlyObservations(ObservationRegistry registry, LeaderElections leaderElections,
			ObjectProvider<LeaderOnlyObservationConvention> convention) {
		return new LeaderOnlyObservations(registry, leaderElections, convention.getIfAvailable());
	}

}
