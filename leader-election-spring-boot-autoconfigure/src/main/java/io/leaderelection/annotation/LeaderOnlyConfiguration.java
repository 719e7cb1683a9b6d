package io.leaderelection.annotation;

import io.micrometer.context.ContextRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Makes {@link LeaderOnly} work in an application that has
 * {@link io.leaderelection.LeaderElections LeaderElections}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeaderOnlyProperties.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LeaderOnlyConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment) {
		return new LeaderOnlyBeanPostProcessor(environment.getProperty(LeaderOnlyProperties.PREFIX + ".order",
				Integer.class, LeaderOnlyProperties.DEFAULT_ORDER));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ScheduledArgumentsRegistrar leaderOnlyScheduledArguments(Environment environment) {
		return new ScheduledArgumentsRegistrar(
				environment.getProperty(ScheduledArguments.PROPERTY, Boolean.class, Boolean.TRUE));
	}

	@Bean
	LeaderOnlyInspection leaderOnlyInspection(LeaderOnlyBeanPostProcessor guarding, LeaderOnlyProperties properties,
			ConfigurableListableBeanFactory beanFactory, ObjectProvider<GuardedCallListener> listeners) {
		return new LeaderOnlyInspection(guarding, properties.getSelfInvocation(), beanFactory, listeners);
	}

	/**
	 * The registry belongs to the whole process, and a second accessor with the same key
	 * takes the place of the first.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextRegistry.class)
	static class ContextPropagation {

		ContextPropagation() {
			ContextRegistry.getInstance().registerThreadLocalAccessor(new LeadershipAccessor());
		}

	}

}
