package io.leaderelection.etcd;

import io.etcd.jetcd.Client;
import io.leaderelection.fencing.StaleTokens;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * A fence in the application's etcd, wherever its elections live.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(Client.class)
@ConditionalOnSingleCandidate(Client.class)
@EnableConfigurationProperties(EtcdLeaderElectionProperties.class)
public class EtcdFenceConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	EtcdFence leaderElectionEtcdFence(Client client, EtcdLeaderElectionProperties properties, StaleTokens staleTokens) {
		return new EtcdFence(client, EtcdLeaseStoreConfiguration.requireValidPrefix(properties.getPrefix()),
				staleTokens);
	}

}
