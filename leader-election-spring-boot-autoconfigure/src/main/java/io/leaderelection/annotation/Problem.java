package io.leaderelection.annotation;

import java.lang.reflect.Method;

import org.springframework.util.ClassUtils;

/**
 * A use of {@link LeaderOnly} that cannot work.
 *
 * @param what where it is and why it cannot work
 * @param remedy what to do
 */
record Problem(String what, String remedy) {

	static Problem of(Method method, String why, String remedy) {
		return new Problem("%s %s".formatted(describe(method), why), remedy);
	}

	static Problem of(Class<?> type, String why, String remedy) {
		return new Problem("%s %s".formatted(type.getName(), why), remedy);
	}

	static String describe(Method method) {
		return ClassUtils.getQualifiedMethodName(method) + "()";
	}

}
