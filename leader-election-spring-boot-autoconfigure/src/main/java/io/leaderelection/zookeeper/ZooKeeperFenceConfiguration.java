package io.leaderelection.zookeeper;

import io.leaderelection.fencing.StaleTokens;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * A fence in the application's ZooKeeper, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSingleCandidate(CuratorFramework.class)
@EnableConfigurationProperties(ZooKeeperLeaderElectionProperties.class)
public class ZooKeeperFenceConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ZooKeeperFence leaderElectionZooKeeperFence(CuratorFramework client, ZooKeeperLeaderElectionProperties properties,
			StaleTokens leaderElectionStaleTokens) {
		ZooKeeperLeaseStoreConfiguration.requireValidPath(properties.getRootPath());
		return new ZooKeeperFence(client, properties.getRootPath(), leaderElectionStaleTokens);
	}

}
