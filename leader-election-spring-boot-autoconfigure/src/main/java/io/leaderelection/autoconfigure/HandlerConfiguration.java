package io.leaderelection.autoconfigure;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import io.leaderelection.annotation.LeaderOnlyMethods;
import io.leaderelection.web.HandlerElectionResolver;
import io.leaderelection.web.RetryAfter;
import io.leaderelection.web.WebLeaderElectionProperties;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;

/**
 * What the handlers of requests learn from elections and guards.
 */
abstract class HandlerConfiguration {

	/** How long callers of a node that does not lead are told to wait. */
	@Bean
	@ConditionalOnMissingBean
	RetryAfter leaderElectionRetryAfter(WebLeaderElectionProperties properties,
			ObjectProvider<ConfiguredSettings> settings) {
		Duration fixed = properties.getRetryAfter();
		if (fixed != null) {
			return (election) -> fixed;
		}
		ConfiguredSettings known = settings.getIfAvailable();
		return (known != null) ? (election) -> known.of(election).renewInterval() : (election) -> Duration.ZERO;
	}

	/** A guard fills in the token of the leadership that it has begun. */
	@Bean
	@ConditionalOnBean(name = LeaderOnlyMethods.BEAN_NAME)
	HandlerElectionResolver leaderOnlyElectionOfHandler(LeaderOnlyMethods methods) {
		return new HandlerElectionResolver() {

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
