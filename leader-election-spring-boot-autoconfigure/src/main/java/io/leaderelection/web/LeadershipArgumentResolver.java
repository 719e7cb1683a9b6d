package io.leaderelection.web;

import io.leaderelection.Leadership;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Fills in this node's own token or leadership in handlers of Spring MVC.
 */
final class LeadershipArgumentResolver implements HandlerMethodArgumentResolver {

	private final OwnLeadership own;

	LeadershipArgumentResolver(OwnLeadership own) {
		this.own = own;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return this.own.supports(parameter);
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
		return this.own.argument(parameter, Leadership.current().orElse(null));
	}

}
