package io.leaderelection.web;

import java.util.List;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.NotLeaderException;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import io.leaderelection.web.WebServer.Answer;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the application handles itself is left to it.
 */
class OwnHandlersTests {

	private static final String RECEIVES_ONLY = "leader-election.enabled=false";

	@ParameterizedTest
	@EnumSource
	void anExceptionHandlerOfTheControllerWins(Stack stack) {
		try (WebServer server = WebServer.start(stack, List.of(WithHandler.class, Plain.class), RECEIVES_ONLY)) {
			Answer answer = server.get("/with-handler");
			assertThat(answer.status()).isEqualTo(418);
			assertThat(answer.body()).isEqualTo("mine: mails");
			assertThat(server.get("/plain").status()).isEqualTo(503);
		}
	}

	@ParameterizedTest
	@EnumSource
	void adviceOfTheApplicationWins(Stack stack) {
		try (WebServer server = WebServer.start(stack, List.of(Plain.class, CatchAll.class), RECEIVES_ONLY)) {
			assertThat(server.get("/plain").status()).isEqualTo(418);
			Answer malformed = server.post("/plain", "Fencing-Token", "reports:0");
			assertThat(malformed.status()).isEqualTo(418);
		}
	}

	@ParameterizedTest
	@EnumSource
	void adviceOfTheApplicationMayAskForTheAnswer(Stack stack) {
		Class<?> advice = (stack == Stack.MVC) ? AskingInMvc.class : AskingInWebFlux.class;
		try (WebServer server = WebServer.start(stack, List.of(Plain.class, advice), RECEIVES_ONLY)) {
			Answer answer = server.get("/plain");
			assertThat(answer.status()).isEqualTo(503);
			assertThat(answer.header("Retry-After")).containsExactly("1");
			assertThat(answer.problem()).containsEntry("election", "mails");
			assertThat(server.get("/other").status()).isEqualTo(418);
		}
	}

	@ParameterizedTest
	@CsvSource({ "MVC, spring.mvc.problemdetails.enabled=true", "MVC, spring.mvc.problemdetails.enabled=false",
			"WEBFLUX, spring.webflux.problemdetails.enabled=true",
			"WEBFLUX, spring.webflux.problemdetails.enabled=false" })
	void springsOwnProblemDetailsChangeNothing(Stack stack, String property) {
		try (WebServer server = WebServer.start(stack, List.of(Plain.class), RECEIVES_ONLY, property)) {
			assertThat(server.get("/plain").problem()).containsEntry("election", "mails");
			assertThat(server.post("/plain", "Fencing-Token", "reports:2").status()).isEqualTo(200);
			assertThat(server.post("/plain", "Fencing-Token", "reports:1").status()).isEqualTo(412);
			assertThat(server.post("/plain").problem()).containsEntry("title", "Missing fencing token");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aParameterIsNotBoundFromTheRequestWhereThereAreNoElections(Stack stack) {
		try (WebServer server = WebServer.start(stack, List.of(Plain.class), RECEIVES_ONLY)) {
			assertThat(server.get("/own?election=reports&value=1").status()).isEqualTo(500);
		}
	}

	@ParameterizedTest
	@EnumSource
	void headerAndWaitAreConfigurable(Stack stack) {
		try (WebServer server = WebServer.start(stack, List.of(Plain.class), RECEIVES_ONLY,
				"leader-election.web.token-header=X-Epoch", "leader-election.web.retry-after=2500ms")) {
			assertThat(server.get("/plain").header("Retry-After")).containsExactly("3");
			assertThat(server.post("/plain", "X-Epoch", "reports:1").status()).isEqualTo(200);
			assertThat(server.post("/plain", "Fencing-Token", "reports:1").problem()).containsEntry("detail",
					"The request must have a fencing token in the header 'X-Epoch'.");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aFenceOfTheApplicationIsAskedWhereItMayWait(Stack stack) {
		try (WebServer server = WebServer.start(stack, List.of(Plain.class, OwnFence.class), RECEIVES_ONLY)) {
			assertThat(server.post("/plain", "Fencing-Token", "reports:1").status()).isEqualTo(200);
			Answer stale = server.post("/plain", "Fencing-Token", "stale:1");
			assertThat(stale.status()).isEqualTo(412);
			assertThat(stale.problem()).containsEntry("newestToken", "2");
			assertThat(server.post("/plain", "Fencing-Token", "unreachable:1").status())
				.as("what is not known to be fresh does not pass")
				.isEqualTo(500);
		}
	}

	@RestController
	static class WithHandler {

		@GetMapping("/with-handler")
		String handle() {
			throw new NotLeaderException("mails", Optional.empty());
		}

		@ExceptionHandler
		ResponseEntity<String> handle(NotLeaderException ex) {
			return ResponseEntity.status(418).body("mine: " + ex.election());
		}

	}

	@RestController
	static class Plain {

		@GetMapping("/plain")
		String plain() {
			throw new NotLeaderException("mails", Optional.empty());
		}

		@GetMapping("/other")
		String other() {
			throw new IllegalStateException();
		}

		@PostMapping("/plain")
		String plain(@CallerToken FencingToken token) throws StaleLeaderException {
			return "written " + token;
		}

		@GetMapping("/own")
		String own(FencingToken token) {
			return "never: " + token;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnFence {

		@Bean
		Fence requestFence() {
			return (token) -> {
				if (Schedulers.isInNonBlockingThread() || Thread.currentThread().getName().contains("reactor-http")) {
					throw new IllegalStateException("asked on " + Thread.currentThread());
				}
				switch (token.election()) {
					case "stale" -> throw new StaleLeaderException(token, new FencingToken("stale", 2));
					case "unreachable" -> throw new IllegalStateException("no connection");
					default -> {
					}
				}
			};
		}

	}

	@RestControllerAdvice
	static class CatchAll {

		@ExceptionHandler
		ResponseEntity<String> handle(Exception ex) {
			return ResponseEntity.status(418).body("mine");
		}

	}

	private static ResponseEntity<ProblemDetail> answer(LeaderElectionProblems problems, Exception ex,
			HttpHeaders headers) {
		return problems.of(ex, headers)
			.map((problem) -> ResponseEntity.status(problem.getStatusCode())
				.headers(problem.getHeaders())
				.body(problem.getBody()))
			.orElseGet(() -> ResponseEntity.status(418).build());
	}

	@RestControllerAdvice
	static class AskingInMvc {

		private final LeaderElectionProblems problems;

		AskingInMvc(LeaderElectionProblems problems) {
			this.problems = problems;
		}

		@ExceptionHandler
		ResponseEntity<ProblemDetail> handle(Exception ex, HttpServletRequest request) {
			return answer(this.problems, ex, new ServletServerHttpRequest(request).getHeaders());
		}

	}

	@RestControllerAdvice
	static class AskingInWebFlux {

		private final LeaderElectionProblems problems;

		AskingInWebFlux(LeaderElectionProblems problems) {
			this.problems = problems;
		}

		@ExceptionHandler
		ResponseEntity<ProblemDetail> handle(Exception ex, ServerHttpRequest request) {
			return answer(this.problems, ex, request.getHeaders());
		}

	}

}
