package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/**
 * What is guarded in the classes of an application. Each class is read once.
 */
final class Guards {

	private final GuardReader reader;

	private final GuardedClass nothing;

	private final Mentions mentions = new Mentions();

	private final Map<Class<?>, GuardedClass> classes = new ConcurrentHashMap<>();

	/** A power of two of them. Whoever comes to a place last stays there. */
	private final @Nullable Answer[] recent = new Answer[256];

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
		return (isOfSpring(type) || !this.mentions.in(type)) ? this.nothing : new GuardedClass(type, this);
	}

	private static boolean isOfSpring(Class<?> type) {
		return type.getName().startsWith("org.springframework.")
				&& !AnnotatedElementUtils.isAnnotated(type, Component.class);
	}

	/**
	 * The guard of the method that is called. A proxy comes with the same method object
	 * each time, so that there is nothing to compare but identities; proxies of different
	 * classes may share it.
	 * @param call the call
	 * @return its guard; {@code null} if it has none
	 */
	@Nullable Guard of(MethodInvocation call) {
		Method method = call.getMethod();
		Object target = call.getThis();
		Class<?> type = (target != null) ? target.getClass() : method.getDeclaringClass();
		int place = System.identityHashCode(method) & (this.recent.length - 1);
		Answer known = this.recent[place];
		if (known == null || known.method != method || known.type != type) {
			known = new Answer(method, type, of(type).guard(method));
			this.recent[place] = known;
		}
		return known.guard;
	}

	/**
	 * What was found out about a method.
	 *
	 * @param method the method as it was called
	 * @param type the class of the object that it was called on
	 * @param guard its guard; {@code null} if it has none
	 */
	private record Answer(Method method, Class<?> type, @Nullable Guard guard) {
	}

}
