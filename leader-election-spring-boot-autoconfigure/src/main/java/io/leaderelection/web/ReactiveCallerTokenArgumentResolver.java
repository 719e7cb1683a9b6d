package io.leaderelection.web;

import java.util.Optional;

import io.leaderelection.FencingToken;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * Fills in the caller's token in handlers of Spring WebFlux.
 */
final class ReactiveCallerTokenArgumentResolver implements HandlerMethodArgumentResolver {

	private final CallerTokens tokens;

	private final ConfigurableBeanFactory beanFactory;

	ReactiveCallerTokenArgumentResolver(CallerTokens tokens, ConfigurableBeanFactory beanFactory) {
		this.tokens = tokens;
		this.beanFactory = beanFactory;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return CallerTokenParameter.is(parameter);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext bindingContext,
			ServerWebExchange exchange) {
		return Mono.defer(() -> {
			CallerTokenParameter wanted = CallerTokenParameter.of(parameter, this.beanFactory);
			Optional<FencingToken> token = wanted.read(this.tokens,
					exchange.getRequest().getHeaders().getOrEmpty(this.tokens.header()));
			Mono<Object> argument = Mono.justOrEmpty(wanted.argument(token));
			return (wanted.check() && token.isPresent()) ? check(token.get()).then(argument) : argument;
		});
	}

	private Mono<Void> check(FencingToken token) {
		Mono<Void> check = Mono.fromRunnable(() -> this.tokens.check(token));
		// a fence may wait for a database, which an event loop must not
		return this.tokens.checksAtOnce() ? check : check.subscribeOn(Schedulers.boundedElastic());
	}

}
