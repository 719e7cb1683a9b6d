package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.Registration;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.fencing.FencingTokenService;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.fencing.TransactionFence;
import io.leaderelection.store.LeaseStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * {@link AutoConfiguration Auto-configuration} for what all fences share. The modules of
 * the backends define the fences, before this one, for the clients that the application
 * has, whichever backend stores its leases.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBean(LeaderElections.class)
public final class FencingAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	StaleTokens leaderElectionStaleTokens(LeaderElections leaderElections,
			ObjectProvider<LeaderElectionBackend> backends) {
		LeaderElectionBackend backend = backends.getIfAvailable();
		return (backend != null && backend.name().equals(BackendChoice.LOCAL)) ? StaleTokens.inProcess(leaderElections)
				: new StaleTokens(leaderElections);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(LeaseStore.class)
	FencingTokenService leaderElectionFencingTokenService(LeaseStore store) {
		return new FencingTokenService(store);
	}

	/**
	 * Fences also the transactions in which work under a leadership begins, and not only
	 * those that it begins.
	 */
	@Bean
	@ConditionalOnBean(TransactionFence.class)
	Registration leaderElectionTransactionFencing(LeaderElections leaderElections, TransactionFence fence) {
		return leaderElections.onWork(fence::join);
	}

}
