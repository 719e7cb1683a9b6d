package io.leaderelection.annotation;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;

import io.leaderelection.web.HandlerElectionResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;

/**
 * The elections of guarded handlers. A guard fills in the token of the leadership that it
 * has begun.
 */
final class LeaderOnlyMethods implements HandlerElectionResolver {

	private final LeaderOnlyBeanPostProcessor guarding;

	LeaderOnlyMethods(LeaderOnlyBeanPostProcessor guarding) {
		this.guarding = guarding;
	}

	@Override
	public Optional<String> election(MethodParameter parameter) {
		return Optional.ofNullable(guard(parameter)).flatMap(Guard::constantElection);
	}

	@Override
	public boolean isGuarded(MethodParameter parameter) {
		return guard(parameter) != null;
	}

	private @Nullable Guard guard(MethodParameter parameter) {
		Method method = Objects.requireNonNull(parameter.getMethod(), "a handler is a method");
		return this.guarding.guards().of(parameter.getContainingClass()).guard(method);
	}

}
