package io.leaderelection.etcd;

import io.etcd.jetcd.Client;
import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;

/**
 * A fence in the application's etcd, wherever its elections live.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class },
		before = FencingAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(Client.class)
@ConditionalOnBean(LeaderElections.class)
@ConditionalOnSingleCandidate(Client.class)
@EnableConfigurationProperties(EtcdLeaderElectionProperties.class)
public final class EtcdFenceAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	EtcdFence leaderElectionEtcdFence(Client client, EtcdLeaderElectionProperties properties, StaleTokens staleTokens) {
		return new EtcdFence(client, EtcdLeaderElectionAutoConfiguration.requireValidPrefix(properties.getPrefix()),
				staleTokens);
	}

}
