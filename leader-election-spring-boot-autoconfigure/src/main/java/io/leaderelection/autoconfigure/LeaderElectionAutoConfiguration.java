package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.store.LeaseStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link AutoConfiguration Auto-configuration} for leader election on the store that the
 * backend or the application defines: the elections, their lifecycle, and the events of
 * their changes. It comes last, so that it finds every store.
 */
@AutoConfiguration
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "leader-election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaderElectionProperties.class)
@ImportRuntimeHints(LeaderElectionHints.class)
@Import(LocalBackendConfiguration.class)
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
			ObjectProvider<LeaderElectionBackend> backend, ConfigurableListableBeanFactory beanFactory,
			Environment environment) {
		LeaseStore store = stores.getIfAvailable();
		if (store == null) {
			throw UndecidedBackendException.of(BackendChoice.of(environment, beanFactory));
		}
		if (StringUtils.hasText(properties.getBackend()) && backend.getIfAvailable() == null) {
			logger.warn("%s=%s has no effect, since the application has a LeaseStore bean: %s"
				.formatted(BackendChoice.PROPERTY, properties.getBackend(), store.getClass().getName()));
		}
		for (LeaseStoreCustomizer customizer : customizers.orderedStream().toList()) {
			store = customizer.customize(store);
		}
		LeaderElections elections = LeaderElections.on(store)
			.nodeId(NodeId.of(properties.getNodeId(), environment))
			.logger(new ApplicationLogger("io.leaderelection"))
			.build();
		LeaderElections configured = new ConfiguredElections(elections, settings);
		settings.declared().forEach(configured::elector);
		return configured;
	}

	@Bean(DeclaredElectors.BEAN_NAME)
	DeclaredElectors leaderElectionDeclaredElectors(LeaderElections leaderElections, ConfiguredSettings settings) {
		return new DeclaredElectors(leaderElections, settings);
	}

	@Bean
	ElectionsLifecycle leaderElectionsLifecycle(LeaderElections leaderElections, LeaderElectionProperties properties,
			ConfigurableApplicationContext context, ObjectProvider<LeaderElectionBackend> backend,
			ObjectProvider<LeaseStore> stores) {
		return new ElectionsLifecycle(leaderElections, context, LeaderElectionBackend.describe(backend, stores),
				properties.isAutoStartup());
	}

	@Bean
	ElectionsWithdrawal leaderElectionsWithdrawal(LeaderElections leaderElections,
			ConfigurableApplicationContext context) {
		return new ElectionsWithdrawal(leaderElections, context);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "leader-election.stand-only-when-ready", matchIfMissing = true)
	ReadinessWatch leaderElectionReadinessWatch(LeaderElections leaderElections) {
		return new ReadinessWatch(leaderElections);
	}

	/**
	 * Also when everything is initialized lazily: nobody asks for this bean. One context
	 * publishes for all of its children, whose events would come here, too.
	 */
	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	LeadershipEventPublisher leadershipEventPublisher(LeaderElections leaderElections,
			ApplicationEventPublisher publisher) {
		return new LeadershipEventPublisher(leaderElections, publisher);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeadershipEventListenerFactory leadershipEventListenerFactory() {
		return new LeadershipEventListenerFactory();
	}

}
