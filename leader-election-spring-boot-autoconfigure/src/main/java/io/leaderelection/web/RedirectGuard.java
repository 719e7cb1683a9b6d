package io.leaderelection.web;

import java.util.function.BinaryOperator;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;

/**
 * Keeps HTTP libraries from following redirects of hosts that are sent tokens. They copy
 * headers to wherever they are redirected, and do not ask first.
 */
final class RedirectGuard {

	private RedirectGuard() {
	}

	/**
	 * Builds a client twice: once as configured, and once so that it follows nothing.
	 * @param name what builds it, for the message
	 * @param builder builds the client
	 * @param settings how it is configured
	 * @param join makes one of the two, the one that follows nothing being the second
	 * @return the client
	 */
	static <T> T build(String name, Function<@Nullable HttpClientSettings, T> builder,
			@Nullable HttpClientSettings settings, BinaryOperator<T> join) {
		T configured = builder.apply(settings);
		if (settings != null && settings.redirects() == HttpRedirects.DONT_FOLLOW) {
			return configured;
		}
		HttpClientSettings known = (settings != null) ? settings : HttpClientSettings.defaults();
		try {
			return join.apply(configured, builder.apply(known.withRedirects(HttpRedirects.DONT_FOLLOW)));
		}
		catch (IllegalStateException ex) {
			throw new FollowedRedirectsException(name, ex);
		}
	}

}
