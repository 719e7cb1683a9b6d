package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/**
 * What is guarded in the classes of an application. Each class is read once.
 */
final class Guards {

	private final GuardReader reader;

	private final GuardedClass nothing;

	private final Map<Class<?>, GuardedClass> classes = new ConcurrentHashMap<>();

	Guards(ConfigurableListableBeanFactory beanFactory) {
		this.reader = new GuardReader(beanFactory);
		this.nothing = new GuardedClass(Object.class, this);
	}

	GuardReader reader() {
		return this.reader;
	}

	GuardedClass of(Class<?> type) {
		GuardedClass known = this.classes.get(type);
		if (known == null) {
			known = read(type);
			this.classes.put(type, known);
		}
		return known;
	}

	private GuardedClass read(Class<?> type) {
		Class<?> userClass = ClassUtils.getUserClass(type);
		if (userClass != type) {
			return of(userClass);
		}
		return (isOfSpring(type) || !AnnotationUtils.isCandidateClass(type, LeaderOnly.class)) ? this.nothing
				: new GuardedClass(type, this);
	}

	private static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith("org.springframework.")
				&& !AnnotatedElementUtils.isAnnotated(type, Component.class);
	}

	/**
	 * The guard of the method that is called.
	 * @param call the call
	 * @return its guard; {@code null} if it has none
	 */
	@Nullable Guard of(MethodInvocation call) {
		Method method = call.getMethod();
		Object target = call.getThis();
		return of((target != null) ? target.getClass() : method.getDeclaringClass()).guard(method);
	}

}
