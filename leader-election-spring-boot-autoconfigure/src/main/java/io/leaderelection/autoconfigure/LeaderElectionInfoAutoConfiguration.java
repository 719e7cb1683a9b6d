package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.actuate.LeaderElectionInfoContributor;
import io.leaderelection.store.LeaseStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderElectionInfoContributor}.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(ConditionalOnEnabledInfoContributor.class)
@ConditionalOnEnabledInfoContributor("leader-election")
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionInfoAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeaderElectionInfoContributor leaderElectionInfoContributor(LeaderElections leaderElections,
			ObjectProvider<LeaderElectionBackend> backend, ObjectProvider<LeaseStore> stores) {
		return new LeaderElectionInfoContributor(leaderElections, BackendChoice.describe(backend, stores));
	}

}
