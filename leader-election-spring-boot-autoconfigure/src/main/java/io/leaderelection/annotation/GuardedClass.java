package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The guarded methods of one class, and what is wrong with them.
 */
final class GuardedClass {

	private static final Object UNGUARDED = new Object();

	private final Class<?> type;

	private final Guards all;

	private final @Nullable LeaderOnly ofClass;

	private final Map<Method, Object> guards = new ConcurrentHashMap<>();

	private final Set<Method> annotated = new LinkedHashSet<>();

	private final List<Problem> problems = new ArrayList<>();

	private final boolean guarded;

	GuardedClass(Class<?> type, Guards all) {
		this.type = type;
		this.all = all;
		LeaderOnly annotation = find(type);
		this.ofClass = (annotation != null && !Lifecycle.class.isAssignableFrom(type)) ? annotation : null;
		MethodIntrospector.selectMethods(type, (Method method) -> find(method))
			.forEach((method, own) -> readOwn(method, own));
		if (this.ofClass != null) {
			ReflectionUtils.doWithMethods(type, this::readOfClass, ReflectionUtils.USER_DECLARED_METHODS);
		}
		this.guarded = !guards().isEmpty();
		if (this.guarded || !this.problems.isEmpty()) {
			checkClass();
		}
	}

	private static @Nullable LeaderOnly find(Class<?> type) {
		return AnnotatedElementUtils.findMergedAnnotation(type, LeaderOnly.class);
	}

	private static @Nullable LeaderOnly find(Method method) {
		return AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
	}

	private void readOwn(Method method, LeaderOnly annotation) {
		if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
			// it is about the bean, and not about the method
			return;
		}
		String obstacle = obstacle(method);
		if (obstacle != null) {
			this.problems.add(Problem.of(method, "is %s, so that no proxy can guard it".formatted(obstacle),
					"Make the method overridable: not private, not static, not final"));
		}
		else {
			read(method, annotation);
		}
	}

	private void readOfClass(Method declared) {
		Method method = AopUtils.getMostSpecificMethod(declared, this.type);
		if (!isCoveredByClass(method) || this.guards.containsKey(method)) {
			return;
		}
		if (Modifier.isFinal(method.getModifiers())) {
			if (find(method.getDeclaringClass()) != null) {
				this.problems
					.add(Problem.of(method, "is final, so that no proxy can guard it, and its class is @LeaderOnly",
							"Make the method overridable, or annotate the other methods instead of the class"));
			}
			return;
		}
		read(method, this.ofClass);
	}

	private static @Nullable String obstacle(Method method) {
		int modifiers = method.getModifiers();
		if (Modifier.isStatic(modifiers)) {
			return "static";
		}
		return Modifier.isPrivate(modifiers) ? "private" : Modifier.isFinal(modifiers) ? "final" : null;
	}

	/** What describes an object is not its work. */
	private static boolean isCoveredByClass(Method method) {
		int modifiers = method.getModifiers();
		return !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers) && !method.isSynthetic()
				&& method.getDeclaringClass() != Object.class && !ReflectionUtils.isObjectMethod(method)
				&& !AnnotatedElementUtils.hasAnnotation(method, Bean.class) && find(method) == null;
	}

	private void read(Method method, @Nullable LeaderOnly annotation) {
		if (annotation != null) {
			this.annotated.add(method);
			Guard guard = this.all.reader().read(method, annotation, this.problems);
			if (guard != null) {
				this.guards.put(method, guard);
			}
		}
	}

	private void checkClass() {
		if (BeanPostProcessor.class.isAssignableFrom(this.type)
				|| BeanFactoryPostProcessor.class.isAssignableFrom(this.type)) {
			this.problems.add(Problem.of(this.type, "is a post-processor, which Spring does not wrap in proxies",
					"Move what is @LeaderOnly to a bean of its own"));
		}
		if (this.ofClass != null && AnnotatedElementUtils.hasAnnotation(this.type, Configuration.class)) {
			this.problems.add(Problem.of(this.type, "is a @Configuration, which makes beans on every node",
					"Annotate the class of the bean or its methods; or the @Bean method, if the bean is a Lifecycle"));
		}
	}

	/**
	 * Whether there is anything to guard.
	 * @return {@code false} if calls need not be looked at
	 */
	boolean isGuarded() {
		return this.guarded;
	}

	/**
	 * Whether there is anything to guard, though perhaps it cannot be told yet how: an
	 * election may be known only where the application runs.
	 * @return {@code false} if calls need not be looked at
	 */
	boolean isAnnotated() {
		return !this.annotated.isEmpty();
	}

	/**
	 * Whether there is nothing to guard, and nothing wrong either.
	 * @return {@code true} if it is like most classes
	 */
	boolean isOfNoConcern() {
		return this.annotated.isEmpty() && this.problems.isEmpty();
	}

	Set<Method> annotated() {
		return this.annotated;
	}

	Class<?> type() {
		return this.type;
	}

	List<Problem> problems() {
		return this.problems;
	}

	Collection<Guard> guards() {
		return this.guards.values()
			.stream()
			.filter((guard) -> guard != UNGUARDED)
			.map(Guard.class::cast)
			.distinct()
			.toList();
	}

	/**
	 * The guard of a method, as it is called: perhaps by an interface.
	 * @param called the method
	 * @return its guard; {@code null} if it has none
	 */
	@Nullable Guard guard(Method called) {
		Object guard = this.guards.get(called);
		if (guard == null) {
			guard = resolve(called).map(Object.class::cast).orElse(UNGUARDED);
			this.guards.put(called, guard);
		}
		return (guard != UNGUARDED) ? (Guard) guard : null;
	}

	private Optional<Guard> resolve(Method called) {
		Method specific = AopUtils.getMostSpecificMethod(called, this.type);
		if (this.guards.get(specific) instanceof Guard guard) {
			return Optional.of(guard);
		}
		return (specific.equals(called) && called.getDeclaringClass().isInterface()
				&& !called.getDeclaringClass().isAssignableFrom(this.type)) ? ofInterface(called) : Optional.empty();
	}

	/** Some proxies have methods that their target does not have, as repositories do. */
	private Optional<Guard> ofInterface(Method called) {
		return Optional.ofNullable(this.all.of(called.getDeclaringClass()).guard(called));
	}

}
