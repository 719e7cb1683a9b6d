package io.leaderelection.annotation;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Makes {@link LeaderOnly} work in an application that has
 * {@link io.leaderelection.LeaderElections LeaderElections}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = LeaderOnlyConfiguration.ENABLED, matchIfMissing = true)
@EnableConfigurationProperties(LeaderOnlyProperties.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LeaderOnlyConfiguration {

	/** Whether {@link LeaderOnly} is in effect. */
	public static final String ENABLED = LeaderOnlyProperties.PREFIX + ".enabled";

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment) {
		return new LeaderOnlyBeanPostProcessor(environment.getProperty(LeaderOnlyProperties.PREFIX + ".order",
				Integer.class, LeaderOnlyProperties.DEFAULT_ORDER));
	}

	@Bean(LeaderOnlyMethods.BEAN_NAME)
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
