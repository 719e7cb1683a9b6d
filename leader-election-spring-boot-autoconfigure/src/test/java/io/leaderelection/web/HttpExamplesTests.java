package io.leaderelection.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElector;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.Fence;
import jakarta.servlet.http.HttpServletRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.DefaultUriBuilderFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The examples of docs/http.md: they are what stands here, and they run.
 */
class HttpExamplesTests {

	private static final Path MODULE = Path.of("").toAbsolutePath();

	@Test
	void theExamplesRun() throws Exception {
		try (WebServer server = WebServer.start(Stack.MVC, List.of(Ledger.class, Routes.class),
				"leader-election.enabled=false"); ConfigurableApplicationContext leader = leader()) {
			LeaderElector elector = leader.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			RestClient.Builder builder = leader.getBean(RestClient.Builder.class)
				.uriBuilderFactory(new DefaultUriBuilderFactory(server.uri("").toString()));
			Payouts payouts = new Payouts(builder, elector);
			payouts.pay("1 to Ada");
			assertThat(server.bean(Ledger.class).entries).containsExactly("1 to Ada");
			long newer = elector.fencingToken().orElseThrow().value() + 1;
			server.post("/rounds", "Fencing-Token", "payouts:" + newer);
			assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> payouts.pay("2 to Bob"));
			assertThat(server.bean(Ledger.class).entries).containsExactly("1 to Ada");
		}
	}

	@Test
	void theDocumentIsAsShown() throws Exception {
		try (WebServer server = WebServer.start(Stack.MVC, List.of(Ledger.class), "leader-election.enabled=false")) {
			server.post("/entries", "Fencing-Token", "payouts:1794808126341389", "Content-Type", "text/plain");
			String document = server
				.post("/entries", "Fencing-Token", "payouts:1794808126341388", "Content-Type", "text/plain")
				.body();
			assertThat(blocks("json")).map(HttpExamplesTests::squeezed).contains(squeezed(document));
		}
	}

	@Test
	void theExamplesAreThoseThatRun() throws IOException {
		String source = squeezed(Files.readString(MODULE
			.resolve("src/test/java/%s.java".formatted(HttpExamplesTests.class.getName().replace('.', '/')))));
		assertThat(blocks("java")).hasSize(6)
			.allSatisfy((block) -> assertThat(source)
				.contains(squeezed(block).replace("@Componentclass", "@Componentstaticclass")
					.replace("@RestControllerclass", "@RestControllerstaticclass")
					.replace("@RestControllerAdviceclass", "@RestControllerAdvicestaticclass")));
	}

	private static List<String> blocks(String language) throws IOException {
		String page = Files.readString(MODULE.resolveSibling("docs/http.md"));
		Matcher matcher = Pattern.compile("```%s\n(.*?)```".formatted(language), Pattern.DOTALL).matcher(page);
		return matcher.results().map((result) -> result.group(1).replaceAll("(?m)^import .*$", "")).toList();
	}

	private static String squeezed(String text) {
		return text.replaceAll("\\s+", "");
	}

	private static ConfigurableApplicationContext leader() {
		return new SpringApplicationBuilder(SentTokensTests.Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--leader-election.backend=local", "--leader-election.elections.payouts=",
					"--leader-election.web.client.token-hosts=localhost");
	}

	@Component
	static class Payouts {

		private final RestClient ledger;

		private final LeaderElector payouts;

		Payouts(RestClient.Builder builder, @Qualifier("payouts") LeaderElector payouts) {
			this.ledger = builder.baseUrl("http://ledger.internal").build();
			this.payouts = payouts;
		}

		void pay(String payout) throws Exception {
			this.payouts
				.executeAsLeader(() -> this.ledger.post().uri("/entries").body(payout).retrieve().toBodilessEntity());
		}

	}

	@RestController
	static class Ledger {

		private final List<String> entries = new CopyOnWriteArrayList<>();

		@PostMapping("/entries")
		void add(@CallerToken("payouts") FencingToken token, @RequestBody(required = false) String entry) {
			this.entries.add(entry);
		}

	}

	@RestController
	static class Own {

		@GetMapping("/token")
		String token(@Qualifier("payouts") FencingToken token) {
			return token.toString();
		}

	}

	static class Transactions {

		private final Fence fence;

		private final List<String> entries = new CopyOnWriteArrayList<>();

		Transactions(Fence fence) {
			this.fence = fence;
		}

		@PostMapping("/entries")
		@Transactional
		void add(@CallerToken(election = "payouts", check = false) FencingToken token, @RequestBody String entry) {
			this.fence.check(token);
			this.entries.add(entry);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Routes {

		@Bean
		RouterFunction<ServerResponse> rounds(CallerTokens tokens) {
			return RouterFunctions.route().POST("/rounds", (request) -> {
				FencingToken token = tokens.admit(request.headers().asHttpHeaders(), "payouts");
				return ServerResponse.ok().body("round of " + token);
			}).build();
		}

	}

	@RestControllerAdvice
	static class Failures {

		private final LeaderElectionProblems problems;

		Failures(LeaderElectionProblems problems) {
			this.problems = problems;
		}

		@ExceptionHandler
		ResponseEntity<?> answer(Exception ex, HttpServletRequest request) {
			return this.problems.of(ex, new ServletServerHttpRequest(request).getHeaders())
				.map((problem) -> ResponseEntity.status(problem.getStatusCode())
					.headers(problem.getHeaders())
					.body(problem.getBody()))
				.orElseGet(() -> ResponseEntity.internalServerError().build());
		}

	}

}
