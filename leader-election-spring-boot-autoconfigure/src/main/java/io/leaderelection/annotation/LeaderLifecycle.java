package io.leaderelection.annotation;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * What the annotation says about a bean as a whole. That of its {@code @Bean} method goes
 * before that of its class.
 */
final class LeaderLifecycle {

	private LeaderLifecycle() {
	}

	/**
	 * The annotation of a bean that is to be started and stopped.
	 * @return the annotation; {@code null} if the bean is not to be
	 */
	static @Nullable LeaderOnly find(String beanName, Class<?> type, ConfigurableListableBeanFactory beanFactory) {
		if (!Lifecycle.class.isAssignableFrom(type)) {
			return null;
		}
		LeaderOnly ofMethod = findOnFactoryMethod(beanName, beanFactory);
		return (ofMethod != null) ? ofMethod : AnnotatedElementUtils.findMergedAnnotation(type, LeaderOnly.class);
	}

	static @Nullable LeaderOnly findOnFactoryMethod(String beanName, ConfigurableListableBeanFactory beanFactory) {
		Method method = beanFactory.containsBeanDefinition(beanName)
				&& beanFactory.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
						? definition.getResolvedFactoryMethod() : null;
		return (method != null) ? AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class) : null;
	}

	/** Whether there is no need to stand before its start. */
	static boolean canBeToldToWait(Class<?> type) {
		return SmartLifecycle.class.isAssignableFrom(type) && autoStartup(type) != null;
	}

	static @Nullable Method autoStartup(Class<?> type) {
		return ClassUtils.getMethodIfAvailable(type, "setAutoStartup", boolean.class);
	}

}
