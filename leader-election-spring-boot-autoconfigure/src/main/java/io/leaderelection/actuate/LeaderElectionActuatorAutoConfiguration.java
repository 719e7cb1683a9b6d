package io.leaderelection.actuate;

import java.util.List;

import io.leaderelection.LeaderElections;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionBackend;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} for the endpoint, health and information
 * of elections, and for leadership that follows health.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionActuatorAutoConfiguration {

	private static final String STEP_DOWN = "leader-election.step-down-when-unhealthy";

	/**
	 * The endpoint {@code leader}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	@ConditionalOnAvailableEndpoint(LeaderEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LeaderEndpoint leaderEndpoint(LeaderElections leaderElections, ObjectProvider<LeaderElectionBackend> backend,
				ObjectProvider<LeaseStore> stores) {
			LeaseStore store = stores.getIfUnique();
			String name = LeaderElectionBackend.describe(backend, stores);
			return new LeaderEndpoint(leaderElections,
					() -> new NodeDescription.Backend(name, (store != null) ? store.limits() : List.of()));
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnBean(LeaderEndpoint.class)
		@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
		LeaderEndpointWebExtension leaderEndpointWebExtension(LeaderEndpoint leaderEndpoint) {
			return new LeaderEndpointWebExtension(leaderEndpoint);
		}

		@Bean
		@ConditionalOnBean(LeaderEndpointWebExtension.class)
		UnknownFieldFilter leaderEndpointUnknownFieldFilter() {
			return new UnknownFieldFilter();
		}

	}

	/**
	 * Shows the elections in the health of the application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
	@ConditionalOnEnabledHealthIndicator("leader-election")
	static class IndicatorConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "leaderElectionHealthIndicator")
		LeaderElectionHealthIndicator leaderElectionHealthIndicator(LeaderElections leaderElections) {
			return new LeaderElectionHealthIndicator(leaderElections);
		}

	}

	/**
	 * Has leadership follow health in an application that has {@link LeaderElections}.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(0)
	@ConditionalOnClass({ Endpoint.class, HealthEndpointGroups.class })
	@ConditionalOnBooleanProperty(STEP_DOWN)
	@EnableConfigurationProperties(HealthLeaderElectionProperties.class)
	static class HealthWatchConfiguration {

		@Bean
		@ConditionalOnMissingBean
		HealthWatch leaderElectionHealthWatch(LeaderElections leaderElections,
				HealthLeaderElectionProperties properties, ObjectProvider<HealthEndpointGroups> groups,
				ObjectProvider<HealthContributorRegistry> registry,
				ObjectProvider<ReactiveHealthContributorRegistry> reactiveRegistry) {
			HealthEndpointGroups available = groups.getIfAvailable();
			if (available == null) {
				throw new InvalidConfigurationPropertyValueException(STEP_DOWN, true,
						"There are no health groups, since the health endpoint is not available. "
								+ "Allow access to it and expose it, over the web or JMX.");
			}
			HealthContributors contributors = contributors(registry.getObject(), reactiveRegistry.getIfAvailable());
			return new HealthWatch(leaderElections, new FollowedHealth(contributors, available, properties.getGroup()),
					properties);
		}

		private static HealthContributors contributors(HealthContributorRegistry registry,
				@Nullable ReactiveHealthContributorRegistry reactiveRegistry) {
			return (reactiveRegistry != null) ? HealthContributors.of(registry, reactiveRegistry.asHealthContributors())
					: registry;
		}

	}

	/**
	 * Refuses to follow health in an application that has none.
	 */
	@Configuration(proxyBeanMethods = false)
	@Order(1)
	@ConditionalOnBooleanProperty(STEP_DOWN)
	@ConditionalOnMissingBean(type = "io.leaderelection.actuate.HealthWatch")
	static class UnknownHealthConfiguration {

		UnknownHealthConfiguration() {
			throw new InvalidConfigurationPropertyValueException(STEP_DOWN, true,
					"There is no health to follow. Add spring-boot-starter-actuator to the application.");
		}

	}

	/**
	 * The leaders of all elections, as information on the application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnEnabledInfoContributor.class)
	@ConditionalOnEnabledInfoContributor("leader-election")
	static class InfoConfiguration {

		@Bean
		@ConditionalOnMissingBean
		LeaderElectionInfoContributor leaderElectionInfoContributor(LeaderElections leaderElections,
				ObjectProvider<LeaderElectionBackend> backend, ObjectProvider<LeaseStore> stores) {
			return new LeaderElectionInfoContributor(leaderElections, LeaderElectionBackend.describe(backend, stores));
		}

	}

}
