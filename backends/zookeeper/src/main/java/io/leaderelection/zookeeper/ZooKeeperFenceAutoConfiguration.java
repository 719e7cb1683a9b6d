package io.leaderelection.zookeeper;

import io.leaderelection.LeaderElections;
import io.leaderelection.annotation.LeaderOnlyAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import org.apache.curator.framework.CuratorFramework;

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
 * A fence in the application's ZooKeeper, wherever its elections live.
 */
@AutoConfiguration(after = { LeaderElectionAutoConfiguration.class, LeaderOnlyAutoConfiguration.class },
		before = FencingAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnBean(LeaderElections.class)
@ConditionalOnSingleCandidate(CuratorFramework.class)
@EnableConfigurationProperties(ZooKeeperLeaderElectionProperties.class)
public final class ZooKeeperFenceAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ZooKeeperFence leaderElectionZooKeeperFence(CuratorFramework client, ZooKeeperLeaderElectionProperties properties,
			StaleTokens staleTokens) {
		ZooKeeperLeaderElectionAutoConfiguration.requireValidPath(properties.getRootPath());
		return new ZooKeeperFence(client, properties.getRootPath(), staleTokens);
	}

}
