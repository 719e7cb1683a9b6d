package io.leaderelection.web;

import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Fills in the caller's token in handlers of Spring MVC.
 */
final class CallerTokenArgumentResolver implements HandlerMethodArgumentResolver {

	private final CallerTokens tokens;

	private final ConfigurableBeanFactory beanFactory;

	CallerTokenArgumentResolver(CallerTokens tokens, ConfigurableBeanFactory beanFactory) {
		this.tokens = tokens;
		this.beanFactory = beanFactory;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return CallerTokenParameter.is(parameter);
	}

	@Override
	public @Nullable Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
		CallerTokenParameter wanted = CallerTokenParameter.of(parameter, this.beanFactory);
		String[] values = request.getHeaderValues(this.tokens.header());
		Optional<FencingToken> token = wanted.read(this.tokens, (values != null) ? List.of(values) : List.of());
		if (wanted.check()) {
			token.ifPresent(this.tokens::check);
		}
		return wanted.argument(token);
	}

}
