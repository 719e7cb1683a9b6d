package io.leaderelection.annotation;

import java.time.Duration;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
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
@EnableConfigurationProperties(LeaderOnlyProperties.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class LeaderOnlyConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderOnlyBeanPostProcessor leaderOnlyBeanPostProcessor(Environment environment) {
		return new LeaderOnlyBeanPostProcessor(order(environment));
	}

	private static int order(Environment environment) {
		return environment.getProperty(LeaderOnlyProperties.PREFIX + ".order", Integer.class,
				LeaderOnlyProperties.DEFAULT_ORDER);
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
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeaderLifecycleBeanPostProcessor leaderOnlyLifecycleBeanPostProcessor(Environment environment) {
		return new LeaderLifecycleBeanPostProcessor(order(environment));
	}

	@Bean
	LeaderLifecycles leaderOnlyLifecycles(LeaderOnlyBeanPostProcessor guarding,
			ConfigurableListableBeanFactory beanFactory, Environment environment) {
		return new LeaderLifecycles(guarding, beanFactory,
				Binder.get(environment)
					.bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
					.orElse(LeaderLifecycles.DEFAULT_STOP_TIMEOUT));
	}

	@Bean
	LeaderOnlyInspection leaderOnlyInspection(LeaderOnlyBeanPostProcessor guarding, LeaderLifecycles lifecycles,
			LeaderOnlyProperties properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<GuardedCallListener> listeners, ObjectProvider<GuardedCallObserver> observer) {
		if (ClassUtils.isPresent(LeadershipAccessor.REGISTRY, beanFactory.getBeanClassLoader())) {
			LeadershipAccessor.register();
		}
		return new LeaderOnlyInspection(guarding, lifecycles, properties.getSelfInvocation(), beanFactory, listeners,
				observer);
	}

}
