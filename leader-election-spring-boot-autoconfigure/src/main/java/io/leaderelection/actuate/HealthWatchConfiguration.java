package io.leaderelection.actuate;

import io.leaderelection.LeaderElections;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.health.registry.ReactiveHealthContributorRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Has leadership follow health in an application that has {@link LeaderElections}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ Endpoint.class, HealthEndpointGroups.class })
@ConditionalOnBooleanProperty(HealthWatchConfiguration.PROPERTY)
@EnableConfigurationProperties(HealthLeaderElectionProperties.class)
public class HealthWatchConfiguration {

	/** Whether leadership follows health. */
	public static final String PROPERTY = "leader-election.step-down-when-unhealthy";

	@Bean
	@ConditionalOnMissingBean
	HealthWatch leaderElectionHealthWatch(LeaderElections leaderElections, HealthLeaderElectionProperties properties,
			ObjectProvider<HealthEndpointGroups> groups, ObjectProvider<HealthContributorRegistry> registry,
			ObjectProvider<ReactiveHealthContributorRegistry> reactiveRegistry) {
		HealthEndpointGroups available = groups.getIfAvailable();
		if (available == null) {
			throw new InvalidConfigurationPropertyValueException(PROPERTY, true,
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
