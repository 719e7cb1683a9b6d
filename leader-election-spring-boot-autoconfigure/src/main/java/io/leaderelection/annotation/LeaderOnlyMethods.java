package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Which methods are guarded, for those who call them on behalf of others.
 */
public final class LeaderOnlyMethods {

	/**
	 * What it is called as a bean.
	 */
	public static final String BEAN_NAME = "leaderOnlyMethods";

	private final LeaderOnlyBeanPostProcessor guarding;

	LeaderOnlyMethods(LeaderOnlyBeanPostProcessor guarding) {
		this.guarding = guarding;
	}

	/**
	 * Whether calls of the method are guarded, and its token filled in.
	 * @param type the class of the bean
	 * @param method the method
	 * @return {@code true} if it is guarded
	 */
	public boolean isGuarded(Class<?> type, Method method) {
		return guard(type, method) != null;
	}

	/**
	 * The election of a guarded method.
	 * @param type the class of the bean
	 * @param method the method
	 * @return its name; empty if the method is not guarded, or if the election depends on
	 * its arguments
	 */
	public Optional<String> election(Class<?> type, Method method) {
		return Optional.ofNullable(guard(type, method)).flatMap(Guard::constantElection);
	}

	private @Nullable Guard guard(Class<?> type, Method method) {
		return this.guarding.guards().of(type).guard(method);
	}

}
