package io.leaderelection.autoconfigure;

import io.etcd.jetcd.Client;
import io.fabric8.kubernetes.client.KubernetesClient;
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
import org.apache.curator.framework.CuratorFramework;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The configurations of all backends, of which one at most is used.
 */
final class LeaseStoreConfigurations {

	private LeaseStoreConfigurations() {
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
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
	@ConditionalOnClass({ JdbcOperations.class, DataSourceScriptDatabaseInitializer.class })
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
	@ConditionalOnClass(Client.class)
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
	@ConditionalOnClass(KubernetesClient.class)
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
	@ConditionalOnClass(CuratorFramework.class)
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
	@ConditionalOnClass(DynamoDbClient.class)
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
