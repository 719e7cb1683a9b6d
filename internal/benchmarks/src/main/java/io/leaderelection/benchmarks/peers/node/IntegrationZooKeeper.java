package io.leaderelection.benchmarks.peers.node;

import java.util.List;

import org.apache.curator.framework.CuratorFramework;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.integration.zookeeper.leader.LeaderInitiator;

/**
 * Spring Integration's initiators on ZooKeeper.
 */
@Configuration(proxyBeanMethods = false)
@Import({ CuratorClient.class, IntegrationZooKeeper.Registrar.class })
class IntegrationZooKeeper {

	@Bean
	Candidacy candidacy(ObjectProvider<LeaderInitiator> initiators) {
		// in the order of registration, which is that of the elections
		List<LeaderInitiator> all = initiators.stream().toList();
		return (election) -> all.get(election).getContext().isLeader();
	}

	static final class Registrar implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			String id = environment.getRequiredProperty("node.id");
			for (int i = 0; i < environment.getProperty("node.elections", Integer.class, 1); i++) {
				NotedCandidate candidate = new NotedCandidate(id, i);
				registry.registerBean("initiator-" + i, LeaderInitiator.class, (bean) -> bean
					.supplier((context) -> new LeaderInitiator(context.bean(CuratorFramework.class), candidate)));
			}
		}

	}

}
