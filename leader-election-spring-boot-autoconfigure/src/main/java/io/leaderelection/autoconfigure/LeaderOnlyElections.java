package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.leaderelection.annotation.LeaderOnly;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Finds the elections that {@link LeaderOnly} names, before any bean is created. Names
 * from expressions are not included, nor are those of beans whose class is not known yet.
 */
final class LeaderOnlyElections {

	private LeaderOnlyElections() {
	}

	/**
	 * Return the elections that the annotations of the bean definitions name.
	 * @param beanFactory the bean factory
	 * @param environment resolves placeholders in names
	 * @return the names of the elections
	 */
	static Set<String> namedIn(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		Set<String> names = new TreeSet<>();
		for (String beanName : beanFactory.getBeanDefinitionNames()) {
			Class<?> type = beanFactory.getType(beanName, false);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				annotations(beanName, ClassUtils.getUserClass(type), beanFactory)
					.map((annotation) -> environment.resolvePlaceholders(annotation.value()))
					.filter((name) -> !name.isBlank() && !name.contains("#{") && !name.contains("${"))
					.forEach(names::add);
			}
		}
		return names;
	}

	private static Stream<LeaderOnly> annotations(String beanName, Class<?> type,
			ConfigurableListableBeanFactory beanFactory) {
		LeaderOnly ofBean = beanFactory.findAnnotationOnBean(beanName, LeaderOnly.class, false);
		return Stream.concat(Stream.ofNullable(ofBean),
				MethodIntrospector.selectMethods(type, LeaderOnlyElections::annotation).values().stream());
	}

	private static @Nullable LeaderOnly annotation(Method method) {
		return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
	}

}
