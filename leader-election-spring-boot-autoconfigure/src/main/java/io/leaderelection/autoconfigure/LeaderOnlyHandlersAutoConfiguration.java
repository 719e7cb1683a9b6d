package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;

import io.leaderelection.annotation.LeaderOnlyMethods;
import io.leaderelection.web.ElectionOfHandler;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;

/**
 * {@link AutoConfiguration Auto-configuration} for web handlers that are
 * {@link io.leaderelection.annotation.LeaderOnly @LeaderOnly}: their guard fills in the
 * token of the leadership that it has begun.
 */
@AutoConfiguration(after = LeaderOnlyAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(LeaderOnlyMethods.class)
public final class LeaderOnlyHandlersAutoConfiguration {

	@Bean
	ElectionOfHandler leaderOnlyElectionOfHandler(LeaderOnlyMethods methods) {
		return new ElectionOfHandler() {

			@Override
			public Optional<String> election(MethodParameter parameter) {
				return methods.election(parameter.getContainingClass(), method(parameter));
			}

			@Override
			public boolean isGuarded(MethodParameter parameter) {
				return methods.isGuarded(parameter.getContainingClass(), method(parameter));
			}

		};
	}

	private static Method method(MethodParameter parameter) {
		return Objects.requireNonNull(parameter.getMethod(), "a handler is a method");
	}

}
