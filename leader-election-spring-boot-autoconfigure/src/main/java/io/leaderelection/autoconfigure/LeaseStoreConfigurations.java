package io.leaderelection.autoconfigure;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;
import io.leaderelection.dynamodb.DynamoDbLeaseStoreConfiguration;
import io.leaderelection.etcd.EtcdLeaseStoreConfiguration;
import io.leaderelection.jdbc.JdbcLeaseStoreConfiguration;
import io.leaderelection.jdbc.JdbcLeaseStoreInspector;
import io.leaderelection.kubernetes.KubernetesLeaseStoreConfiguration;
import io.leaderelection.redis.RedisLeaseStoreConfiguration;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.zookeeper.ZooKeeperLeaseStoreConfiguration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * The configurations of all backends, of which one at most is used.
 */
final class LeaseStoreConfigurations {

	private LeaseStoreConfigurations() {
	}

	static Class<?> of(Backend backend) {
		return switch (backend) {
			case REDIS -> Redis.class;
			case JDBC -> Jdbc.class;
			case ETCD -> Etcd.class;
			case KUBERNETES -> Kubernetes.class;
			case ZOOKEEPER -> ZooKeeper.class;
			case DYNAMODB -> DynamoDb.class;
			case LOCAL -> Local.class;
		};
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.REDIS)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(RedisLeaseStoreConfiguration.class)
	static class Redis {

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.REDIS);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.JDBC)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(JdbcLeaseStoreConfiguration.class)
	static class Jdbc {

		private static final Log logger = LogFactory.getLog(Jdbc.class);

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.JDBC);
		}

		/** Only the database itself can say where it is, so not a condition. */
		@Bean
		JdbcLeaseStoreInspector privateDatabaseCheck(ConfigurableListableBeanFactory beanFactory,
				Environment environment) {
			return (store) -> store.privateDatabase()
				.ifPresent((url) -> refuseUnlessConfigured(url, BackendChoice.of(environment, beanFactory)));
		}

		private static void refuseUnlessConfigured(String url, BackendChoice choice) {
			if (choice.configured().isEmpty()) {
				throw UndecidedBackendException.privateDatabase(url, choice.finding(Backend.JDBC));
			}
			logger.warn(("%s is jdbc, and the database %s is in the memory of this application alone: every instance "
					+ "of it leads")
				.formatted(BackendChoice.PROPERTY, url));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.ETCD)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(EtcdLeaseStoreConfiguration.class)
	static class Etcd {

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.ETCD);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.KUBERNETES)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(KubernetesLeaseStoreConfiguration.class)
	static class Kubernetes {

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.KUBERNETES);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.ZOOKEEPER)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(ZooKeeperLeaseStoreConfiguration.class)
	static class ZooKeeper {

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.ZOOKEEPER);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.DYNAMODB)
	@ConditionalOnMissingBean(LeaseStore.class)
	@Import(DynamoDbLeaseStoreConfiguration.class)
	static class DynamoDb {

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.DYNAMODB);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBackend(Backend.LOCAL)
	@ConditionalOnMissingBean(LeaseStore.class)
	static class Local {

		private static final Log logger = LogFactory.getLog(Local.class);

		@Bean
		ChosenBackend leaderElectionBackend() {
			return new ChosenBackend(Backend.LOCAL);
		}

		@Bean
		LeaseStore leaseStore() {
			logger.warn("%s is local: leases are kept in this application alone, and every instance of it leads"
				.formatted(BackendChoice.PROPERTY));
			return new InMemoryLeaseStore();
		}

	}

	/**
	 * The backend that is used.
	 */
	record ChosenBackend(Backend backend) {

		/** Names what decides the elections, for people. */
		static String describe(ObjectProvider<ChosenBackend> chosen, ObjectProvider<LeaseStore> stores) {
			ChosenBackend backend = chosen.getIfAvailable();
			if (backend != null) {
				return backend.toString();
			}
			LeaseStore store = stores.getIfUnique();
			return (store != null) ? store.getClass().getName() : "a store of the application";
		}

		@Override
		public String toString() {
			return BackendChoice.nameOf(this.backend);
		}

	}

}
