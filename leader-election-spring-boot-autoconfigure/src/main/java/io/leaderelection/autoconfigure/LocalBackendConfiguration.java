package io.leaderelection.autoconfigure;

import java.util.List;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Leases in the memory of this application. The backend is used only if it is configured.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBackend(BackendChoice.LOCAL)
@ConditionalOnMissingBean(LeaseStore.class)
class LocalBackendConfiguration {

	private static final Log logger = LogFactory.getLog(LocalBackendConfiguration.class);

	@Bean
	LeaderElectionBackend leaderElectionBackend() {
		return new LocalBackend();
	}

	@Bean
	LeaseStore leaseStore() {
		logger.warn("%s is local: leases are kept in this application alone, and every instance of it leads"
			.formatted(BackendChoice.PROPERTY));
		return new InMemoryLeaseStore();
	}

	private static final class LocalBackend implements LeaderElectionBackend {

		@Override
		public String name() {
			return BackendChoice.LOCAL;
		}

		@Override
		public String clientDependency() {
			return "io.leaderelection:leader-election-core";
		}

		@Override
		public List<String> requiredClasses() {
			return List.of();
		}

		@Override
		public List<String> beanTypes() {
			return List.of();
		}

	}

}
