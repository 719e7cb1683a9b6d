package io.leaderelection.autoconfigure;

import io.leaderelection.LeaderElections;
import io.leaderelection.actuate.HealthWatchConfiguration;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for nodes that stand aside while they are
 * not ready or, if they are told to, not healthy.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class,
		afterName = "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration")
@ConditionalOnBean(LeaderElections.class)
public final class LeaderElectionFitnessAutoConfiguration {

	private static final String STEP_DOWN = "leader-election.step-down-when-unhealthy";

	@Bean
	@ConditionalOnBooleanProperty(name = "leader-election.stand-only-when-ready", matchIfMissing = true)
	@ConditionalOnMissingBean
	ReadinessWatch leaderElectionReadinessWatch(LeaderElections elections) {
		return new ReadinessWatch(elections);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(STEP_DOWN)
	@ConditionalOnClass({ Endpoint.class, HealthEndpointGroups.class })
	@Import(HealthWatchConfiguration.class)
	static class FollowingHealth {

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(STEP_DOWN)
	@Conditional(OnMissingHealth.class)
	static class NothingToFollow {

		NothingToFollow() {
			throw new InvalidConfigurationPropertyValueException(STEP_DOWN, true,
					"There is no health to follow. Add spring-boot-starter-actuator to the application.");
		}

	}

	static class OnMissingHealth extends NoneNestedConditions {

		OnMissingHealth() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnClass({ Endpoint.class, HealthEndpointGroups.class })
		static class Health {

		}

	}

}
