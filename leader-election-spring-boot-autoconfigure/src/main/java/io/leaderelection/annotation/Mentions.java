package io.leaderelection.annotation;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Whether a class, or anything that it inherits from, mentions {@link LeaderOnly} at all,
 * directly or by an annotation that has it. Most beans do not, and to merge the
 * annotations of all their methods would take the start of an application longer.
 */
final class Mentions {

	private final Map<Class<?>, Boolean> classes = new ConcurrentHashMap<>();

	private final Map<Class<? extends Annotation>, Boolean> annotations = new ConcurrentHashMap<>();

	boolean in(Class<?> type) {
		for (Class<?> present = type; present != null; present = present.getSuperclass()) {
			if (isDeclaredIn(present)) {
				return true;
			}
			for (Class<?> inherited : present.getInterfaces()) {
				if (in(inherited)) {
					return true;
				}
			}
		}
		return false;
	}

	private boolean isDeclaredIn(Class<?> type) {
		Boolean known = this.classes.get(type);
		if (known == null) {
			known = AnnotationUtils.isCandidateClass(type, LeaderOnly.class) && read(type);
			this.classes.put(type, known);
		}
		return known;
	}

	private boolean read(Class<?> type) {
		if (isAmong(type.getDeclaredAnnotations())) {
			return true;
		}
		for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
			if (isAmong(method.getDeclaredAnnotations())) {
				return true;
			}
		}
		return false;
	}

	private boolean isAmong(Annotation[] annotations) {
		for (Annotation annotation : annotations) {
			if (isMeantBy(annotation.annotationType())) {
				return true;
			}
		}
		return false;
	}

	private boolean isMeantBy(Class<? extends Annotation> annotation) {
		Boolean known = this.annotations.get(annotation);
		if (known == null) {
			known = annotation == LeaderOnly.class || AnnotatedElementUtils.isAnnotated(annotation, LeaderOnly.class);
			this.annotations.put(annotation, known);
		}
		return known;
	}

}
