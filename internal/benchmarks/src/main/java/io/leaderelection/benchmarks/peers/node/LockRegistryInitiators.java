package io.leaderelection.benchmarks.peers.node;

import java.util.List;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Spring Integration's initiators, one bean for each election, on the lock registry that
 * there is.
 */
@Configuration(proxyBeanMethods = false)
@Import(LockRegistryInitiators.Registrar.class)
class LockRegistryInitiators {

	@Bean
	Candidacy candidacy(ObjectProvider<LockRegistryLeaderInitiator> initiators) {
		// in the order of registration, which is that of the elections
		List<LockRegistryLeaderInitiator> all = initiators.stream().toList();
		return (election) -> all.get(election).getContext().isLeader();
	}

	static final class Registrar implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			int elections = environment.getProperty("node.elections", Integer.class, 1);
			String id = environment.getRequiredProperty("node.id");
			for (int i = 0; i < elections; i++) {
				NotedCandidate candidate = new NotedCandidate(id, i);
				registry.registerBean("initiator-" + i, LockRegistryLeaderInitiator.class, (bean) -> bean.supplier(
						(context) -> new LockRegistryLeaderInitiator(context.bean(LockRegistry.class), candidate)));
			}
		}

	}

}
