package io.leaderelection.annotation;

import java.lang.reflect.Method;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Objects that a test has put in the place of a bean. No post-processor sees them.
 */
final class TestDoubles {

	private TestDoubles() {
	}

	static boolean isOne(String beanName, Object bean, ConfigurableListableBeanFactory beanFactory) {
		return isMock(bean) || isOverride(beanName, beanFactory);
	}

	/** Only the overrides of Spring's test framework have such an element. */
	private static boolean isOverride(String beanName, ConfigurableListableBeanFactory beanFactory) {
		return beanFactory.getMergedBeanDefinition(beanName) instanceof RootBeanDefinition definition
				&& definition.getQualifiedElement() != null;
	}

	private static boolean isMock(Object bean) {
		ClassLoader loader = bean.getClass().getClassLoader();
		if (!ClassUtils.isPresent("org.mockito.Mockito", loader)) {
			return false;
		}
		Class<?> mockito = ClassUtils.resolveClassName("org.mockito.Mockito", loader);
		Method details = ReflectionUtils.findMethod(mockito, "mockingDetails", Object.class);
		Object answer = (details != null) ? ReflectionUtils.invokeMethod(details, null, bean) : null;
		Class<?> type = ClassUtils.resolveClassName("org.mockito.MockingDetails", loader);
		Method isMock = ReflectionUtils.findMethod(type, "isMock");
		return isMock != null && Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, answer));
	}

}
