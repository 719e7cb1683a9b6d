package io.leaderelection.web;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * Fills in this node's own token or leadership in handlers of Spring WebFlux.
 */
final class ReactiveLeadershipArgumentResolver implements HandlerMethodArgumentResolver {

	private final OwnLeadership own;

	ReactiveLeadershipArgumentResolver(OwnLeadership own) {
		this.own = own;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return this.own.supports(parameter);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext bindingContext,
			ServerWebExchange exchange) {
		// the context follows the reactive chain from thread to thread
		return Mono.deferContextual((context) -> Mono.justOrEmpty(
				this.own.argument(parameter, context.getOrDefault(Leadership.class, CurrentLeadership.get()))));
	}

}
