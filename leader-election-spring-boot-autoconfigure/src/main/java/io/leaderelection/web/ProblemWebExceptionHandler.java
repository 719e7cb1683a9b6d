package io.leaderelection.web;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Answers with a problem document in Spring WebFlux, whatever kind of handler it was,
 * unless the application has dealt with the exception itself.
 */
final class ProblemWebExceptionHandler implements WebExceptionHandler, Ordered {

	/** Just before Spring Boot's handler, which takes every exception. */
	private static final int ORDER = -2;

	private final LeaderElectionProblems problems;

	ProblemWebExceptionHandler(LeaderElectionProblems problems) {
		this.problems = problems;
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		if (exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		return this.problems.of(failure, exchange.getRequest().getHeaders())
			.map((problem) -> write(problem, exchange.getResponse()))
			.orElseGet(() -> Mono.error(failure));
	}

	private static Mono<Void> write(ErrorResponse problem, ServerHttpResponse response) {
		byte[] document = ProblemJson.write(problem.getBody());
		response.setStatusCode(problem.getStatusCode());
		response.getHeaders().clearContentHeaders();
		response.getHeaders().putAll(problem.getHeaders());
		response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
		response.getHeaders().setContentLength(document.length);
		return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(document)));
	}

}
