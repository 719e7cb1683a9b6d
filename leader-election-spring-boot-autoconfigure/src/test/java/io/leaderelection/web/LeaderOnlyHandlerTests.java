package io.leaderelection.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.FencingToken;
import io.leaderelection.Leadership;
import io.leaderelection.annotation.LeaderOnly;
import io.leaderelection.test.TestLeadership;
import io.leaderelection.test.spring.AutoConfigureTestLeadership;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that are {@link LeaderOnly}, on both stacks.
 */
@Timeout(120)
class LeaderOnlyHandlerTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aHandlerRunsOnTheLeaderAlone(WebApplicationType type) throws Exception {
		try (ConfigurableApplicationContext context = run(type)) {
			TestLeadership leadership = context.getBean(TestLeadership.class);
			FencingToken token = leadership.grant("reports");
			assertThat(get(context, "/plain").body()).isEqualTo(token.toString());
			assertThat(get(context, "/optional").body()).isEqualTo("Optional[%s]".formatted(token));
			assertThat(get(context, "/reactive").body()).isEqualTo(token.toString());
			assertThat(get(context, "/both?caller").body()).isEqualTo(token + " null");
			leadership.revoke("reports");
			assertUnavailable(get(context, "/plain"));
			assertUnavailable(get(context, "/reactive"));
			assertUnavailable(get(context, "/both"));
		}
	}

	private static void assertUnavailable(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(response.headers().firstValueAsLong("Retry-After").orElseThrow()).isPositive();
		Map<String, Object> problem = JsonParserFactory.getJsonParser().parseMap(response.body());
		assertThat(problem).containsEntry("election", "reports").containsEntry("leader", "another-node");
	}

	private HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
		String port = context.getEnvironment().getProperty("local.server.port");
		return this.client.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext run(WebApplicationType type) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("server.port=0", "spring.docker.compose.enabled=false")
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigureTestLeadership
	@RestController
	static class Application {

		@GetMapping("/plain")
		@LeaderOnly("reports")
		String plain(FencingToken token, Leadership leadership) {
			assertThat(Leadership.current()).containsSame(leadership);
			assertThat(leadership.token()).isEqualTo(token);
			return token.toString();
		}

		@GetMapping("/optional")
		@LeaderOnly("reports")
		String optional(Optional<FencingToken> token) {
			return token.toString();
		}

		@GetMapping("/reactive")
		@LeaderOnly("reports")
		Mono<String> reactive(FencingToken token) {
			return Mono.deferContextual((context) -> Mono.just(context.get(Leadership.class).token().toString()))
				.filter(token.toString()::equals);
		}

		@GetMapping("/both")
		@LeaderOnly("reports")
		String both(FencingToken own, @CallerToken(required = false) FencingToken caller) {
			return own + " " + caller;
		}

	}

}
