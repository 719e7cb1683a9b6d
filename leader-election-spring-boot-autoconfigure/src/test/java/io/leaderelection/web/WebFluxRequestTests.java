package io.leaderelection.web;

import java.util.Optional;

import io.leaderelection.NotLeaderException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Requests to Spring WebFlux on Netty.
 */
class WebFluxRequestTests extends RequestContract {

	WebFluxRequestTests() {
		super(Stack.WEBFLUX, Functional.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Functional {

		@Bean
		RouterFunction<ServerResponse> functional(CallerTokens tokens) {
			return RouterFunctions.route()
				.GET("/functional/not-leader",
						(request) -> Mono.error(new NotLeaderException("mails", Optional.empty())))
				.POST("/functional/write",
						(request) -> Mono
							.fromCallable(() -> tokens.admit(request.headers().asHttpHeaders(), "functional"))
							.subscribeOn(Schedulers.boundedElastic())
							.flatMap((token) -> ServerResponse.ok().bodyValue("written " + token)))
				.build();
		}

	}

}
