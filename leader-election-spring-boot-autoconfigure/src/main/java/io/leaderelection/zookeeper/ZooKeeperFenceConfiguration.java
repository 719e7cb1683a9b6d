package io.leaderelection.zookeeper;

import io.leaderelection.fencing.StaleTokens;
import org.apache.curator.framework.CuratorFramework;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
@ConditionalOnClass(CuratorFramework.class)
@ConditionalOnSingleCandidate(CuratorFramework.class)
@EnableConfigurationProperties(ZooKeeperLeaderElectionProperties.class)
public class ZooKeeperFenceConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ZooKeeperFence leaderElectionZooKeeperFence(CuratorFramework client, ZooKeeperLeaderElectionProperties properties,
			StaleTokens staleTokens) {
		ZooKeeperLeaseStoreConfiguration.requireValidPath(properties.getRootPath());
		return new ZooKeeperFence(client, properties.getRootPath(), staleTokens);
	}

}
