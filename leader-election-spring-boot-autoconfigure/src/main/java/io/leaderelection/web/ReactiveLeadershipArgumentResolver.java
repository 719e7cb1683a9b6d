package io.leaderelection.web;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.Leadership;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

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
		return Mono.deferContextual((context) -> Mono.justOrEmpty(this.own.argument(parameter, leadership(context))));
	}

	/**
	 * The leadership that a reactive chain works under: that of its context, which
	 * follows it from thread to thread, before that of the thread.
	 */
	static @Nullable Leadership leadership(ContextView context) {
		Leadership leadership = context.getOrDefault(Leadership.class, null);
		return (leadership != null) ? leadership : CurrentLeadership.get();
	}

}
