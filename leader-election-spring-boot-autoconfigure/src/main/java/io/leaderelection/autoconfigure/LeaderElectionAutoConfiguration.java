package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.autoconfigure.LeaseStoreConfigurations.ChosenBackend;
import io.leaderelection.store.LeaseStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} for leader election: picks the backend,
 * makes the elections, and ties them to the life of the application.
 */
@AutoConfiguration(afterName = { "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration",
		"org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
		"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
		"org.springframework.cloud.kubernetes.fabric8.Fabric8AutoConfiguration",
		"org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "leader-election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaderElectionProperties.class)
@ImportRuntimeHints(LeaderElectionAutoConfiguration.Hints.class)
@Import({ LeaseStoreConfigurations.Redis.class, LeaseStoreConfigurations.Jdbc.class,
		LeaseStoreConfigurations.Etcd.class, LeaseStoreConfigurations.Kubernetes.class,
		LeaseStoreConfigurations.ZooKeeper.class, LeaseStoreConfigurations.DynamoDb.class,
		LeaseStoreConfigurations.Local.class })
public final class LeaderElectionAutoConfiguration {

	private static final Log logger = LogFactory.getLog(LeaderElectionAutoConfiguration.class);

	@Bean
	static ElectionDeclarationConverter leaderElectionDeclarationConverter() {
		return new ElectionDeclarationConverter();
	}

	@Bean
	static LeaderElectorRegistrar leaderElectorRegistrar(Environment environment) {
		return new LeaderElectorRegistrar(environment);
	}

	@Bean
	ConfiguredSettings leaderElectionConfiguredSettings(LeaderElectionProperties properties,
			ObjectProvider<ElectionSettingsCustomizer> customizers) {
		return new ConfiguredSettings(properties, customizers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	LeaderElections leaderElections(LeaderElectionProperties properties, ConfiguredSettings settings,
			ObjectProvider<LeaseStore> stores, ObjectProvider<LeaseStoreCustomizer> customizers,
			ObjectProvider<ChosenBackend> chosen, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		LeaseStore store = stores.getIfAvailable();
		if (store == null) {
			throw UndecidedBackendException.of(BackendChoice.of(environment, beanFactory));
		}
		if (properties.getBackend() != null && chosen.getIfAvailable() == null) {
			logger.warn("%s=%s has no effect, since the application has a LeaseStore bean: %s".formatted(
					BackendChoice.PROPERTY, BackendChoice.nameOf(properties.getBackend()), store.getClass().getName()));
		}
		for (LeaseStoreCustomizer customizer : customizers.orderedStream().toList()) {
			store = customizer.customize(store);
		}
		LeaderElections elections = LeaderElections.on(store)
			.nodeId(NodeId.of(properties.getNodeId(), environment))
			.logger(new ApplicationLogger("io.leaderelection"))
			.rehearse(properties.isRehearseHandOvers())
			.build();
		LeaderElections configured = new ConfiguredElections(elections, settings);
		settings.declared().forEach(configured::elector);
		return configured;
	}

	@Bean(DeclaredElectors.BEAN_NAME)
	DeclaredElectors leaderElectionDeclaredElectors(LeaderElections elections, ConfiguredSettings settings) {
		return new DeclaredElectors(elections, settings);
	}

	@Bean
	ElectionsLifecycle leaderElectionsLifecycle(LeaderElections elections, LeaderElectionProperties properties,
			ApplicationContext context, ObjectProvider<ChosenBackend> chosen, ObjectProvider<LeaseStore> stores) {
		return new ElectionsLifecycle(elections, context,
				ChosenBackend.describe(chosen.getIfAvailable(), stores.getIfUnique()), properties.isAutoStartup(),
				ShutdownHooks.ofTheJvm());
	}

	@Bean
	ElectionsWithdrawal leaderElectionsWithdrawal(LeaderElections elections, ConfigurableApplicationContext context) {
		return new ElectionsWithdrawal(elections, context);
	}

	/**
	 * What is asked for by its name: the backends, also by the report of why there is
	 * none, and the electors of elections that are declared only where the application
	 * runs.
	 */
	static class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			for (PossibleBackend backend : PossibleBackend.values()) {
				backend.types().forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
			}
			hints.reflection()
				.registerType(DeclaredElectors.class, (type) -> type.withMethod("elector",
						TypeReference.listOf(String.class), ExecutableMode.INVOKE));
		}

	}

}
