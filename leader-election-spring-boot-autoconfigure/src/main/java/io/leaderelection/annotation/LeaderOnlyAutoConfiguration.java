package io.leaderelection.annotation;

import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * {@link AutoConfiguration Auto-configuration} for {@link LeaderOnly @LeaderOnly}. It
 * also applies without elections, to report methods that are not guarded.
 */
@AutoConfiguration(after = LeaderElectionAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
public final class LeaderOnlyAutoConfiguration {

	private static final String ENABLED = LeaderOnlyProperties.PREFIX + ".enabled";

	/**
	 * Makes {@link LeaderOnly} work in an application that has
	 * {@link io.leaderelection.LeaderElections LeaderElections}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = ENABLED, matchIfMissing = true)
	@EnableConfigurationProperties(LeaderOnlyProperties.class)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class GuardedConfiguration {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment) {
			return new LeaderOnlyBeanPostProcessor(environment.getProperty(LeaderOnlyProperties.PREFIX + ".order",
					Integer.class, LeaderOnlyProperties.DEFAULT_ORDER));
		}

		@Bean
		LeaderOnlyMethods leaderOnlyMethods(LeaderOnlyBeanPostProcessor guarding) {
			return new LeaderOnlyMethods(guarding);
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static ScheduledArgumentsRegistrar leaderOnlyScheduledArguments(Environment environment) {
			return new ScheduledArgumentsRegistrar(
					environment.getProperty(ScheduledArguments.PROPERTY, Boolean.class, Boolean.TRUE));
		}

		@Bean
		LeaderOnlyInspection leaderOnlyInspection(LeaderOnlyBeanPostProcessor guarding, LeaderOnlyProperties properties,
				ConfigurableApplicationContext context, ObjectProvider<GuardedCallListener> listeners,
				ObjectProvider<GuardedCallObserver> observer) {
			if (ClassUtils.isPresent(LeadershipAccessor.REGISTRY, context.getClassLoader())) {
				LeadershipAccessor.register();
			}
			return new LeaderOnlyInspection(guarding, properties.getSelfInvocation(), context, listeners, observer);
		}

	}

	/**
	 * Says that {@link LeaderOnly @LeaderOnly} is switched off.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = ENABLED, havingValue = false)
	static class UnguardedConfiguration {

		private static final Log logger = LogFactory.getLog(LeaderOnlyAutoConfiguration.class);

		UnguardedConfiguration() {
			logger.warn(ENABLED + " is false: methods with @LeaderOnly run on every node");
		}

	}

}
