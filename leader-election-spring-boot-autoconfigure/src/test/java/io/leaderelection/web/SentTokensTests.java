package io.leaderelection.web;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.CurrentLeadership;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.LeadershipLostException;
import io.leaderelection.OnLoss;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.Work;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.web.Receiver.Received;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The tokens that the HTTP clients of a leader send, and what comes back.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class SentTokensTests {

	private final Receiver receiver = new Receiver();

	private ConfigurableApplicationContext context;

	private LeaderElector elector;

	@BeforeAll
	void start() {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--leader-election.backend=local", "--leader-election.web.client.token-hosts=" + Receiver.LISTED,
					"--spring.reactor.netty.shutdown-quiet-period=0s");
		this.elector = this.context.getBean(LeaderElector.class);
	}

	@BeforeEach
	void lead() {
		Awaitility.await().until(() -> this.elector.isLeader() || this.elector.tryBecomeLeader());
		this.receiver.received();
	}

	@AfterAll
	void stop() {
		this.context.close();
		this.receiver.close();
	}

	@ParameterizedTest
	@EnumSource
	void aListedHostIsSentTheToken(Sender sender) throws Exception {
		FencingToken token = this.elector.executeAsLeader(() -> {
			sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/"));
			sender.send(this.context, HttpMethod.PUT, this.receiver.uri(Receiver.LISTED, "/"));
			return Leadership.current().orElseThrow().token();
		});
		assertThat(this.receiver.received()).hasSize(2)
			.extracting(Received::tokens)
			.containsOnly(List.of(TokenHeader.format(token)));
	}

	@ParameterizedTest
	@EnumSource
	void nobodyElseIs(Sender sender) throws Exception {
		this.elector.executeAsLeader(() -> sender.get(this.context, this.receiver.uri(Receiver.UNLISTED, "/")));
		assertThat(this.receiver.received()).extracting(Received::tokens).containsExactly(List.of());
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsSentByWorkThatIsNotGuarded(Sender sender) {
		sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/"));
		assertThat(this.receiver.received()).extracting(Received::tokens).containsExactly(List.of());
	}

	@ParameterizedTest
	@EnumSource
	void aTokenOfTheApplicationsOwnIsLeftAlone(Sender sender) throws Exception {
		this.elector.executeAsLeader(
				() -> sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/"), "fencing-token", "mine:1"));
		assertThat(this.receiver.received()).extracting(Received::tokens).containsExactly(List.of("mine:1"));
	}

	@ParameterizedTest
	@EnumSource
	void aLeadershipThatHasEndedSendsNothing(Sender sender) {
		Leadership leadership = this.elector.leadership().orElseThrow();
		this.elector.operations().stepDown().join();
		CurrentLeadership.set(leadership);
		try {
			assertThatExceptionOfType(LeadershipLostException.class)
				.isThrownBy(() -> sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/")))
				.satisfies((lost) -> assertThat(lost.token()).isEqualTo(leadership.token()));
			assertThat(this.receiver.received()).isEmpty();
			sender.get(this.context, this.receiver.uri(Receiver.UNLISTED, "/"));
			assertThat(this.receiver.received()).hasSize(1);
		}
		finally {
			CurrentLeadership.set(null);
		}
	}

	@ParameterizedTest
	@EnumSource
	void workThatAStepDownWaitsForStillSends(Sender sender) {
		Work work = this.elector.begin(OnLoss.SIGNAL).orElseThrow();
		Leadership leadership = work.leadership();
		CompletableFuture<Boolean> steppedDown = this.elector.operations().stepDown();
		assertThat(leadership.isCurrent()).isFalse();
		sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/"));
		work.end();
		assertThat(steppedDown.join()).isTrue();
		assertThat(this.receiver.received()).extracting(Received::tokens)
			.containsExactly(List.of(TokenHeader.format(leadership.token())));
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalIsAStaleLeader(Sender sender) throws Exception {
		StaleTokens staleTokens = this.context.getBean(StaleTokens.class);
		long before = staleTokens.count();
		this.elector.executeAsLeader(() -> {
			FencingToken token = Leadership.current().orElseThrow().token();
			this.receiver.reply("/stale", 412, "application/problem+json", """
					{"type": "urn:problem-type:leader-election:stale-token", "status": 412, "title": "…",
					 "refusedToken": "%d", "newestToken": "9223372036854775807"}""".formatted(token.value()));
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> sender.get(this.context, this.receiver.uri(Receiver.LISTED, "/stale")))
				.satisfies((stale) -> {
					assertThat(stale.refused()).isEqualTo(token);
					assertThat(stale.newest()).isEqualTo(new FencingToken(token.election(), Long.MAX_VALUE));
				});
			return null;
		});
		assertThat(staleTokens.count()).isEqualTo(before + 1);
	}

	@Test
	void aRealServerSpeaksTheSameLanguage() throws Exception {
		// not on Netty, whose threads end with the first of two applications in one
		// process
		try (WebServer server = WebServer.start(Stack.MVC, List.of(StaleWritesTests.Door.class),
				"leader-election.enabled=false")) {
			this.elector.executeAsLeader(() -> {
				FencingToken token = Leadership.current().orElseThrow().token();
				String uri = server.uri("/door/any").toString();
				for (Sender sender : Sender.values()) {
					assertThat(sender.send(this.context, HttpMethod.POST, uri).getBody()).isEqualTo("written");
				}
				FencingToken newer = new FencingToken(token.election(), token.value() + 1);
				assertThat(server.post("/door/any", "Fencing-Token", TokenHeader.format(newer)).status())
					.isEqualTo(200);
				for (Sender sender : Sender.values()) {
					assertThatExceptionOfType(StaleLeaderException.class)
						.isThrownBy(() -> sender.send(this.context, HttpMethod.POST, uri))
						.satisfies((stale) -> assertThat(stale.newest()).isEqualTo(newer));
				}
				return null;
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyOther412IsWhatItWas(Sender sender) throws Exception {
		long before = this.context.getBean(StaleTokens.class).count();
		this.elector.executeAsLeader(() -> {
			long token = Leadership.current().orElseThrow().token().value();
			String stale = "{\"type\": \"urn:problem-type:leader-election:stale-token\", %s}";
			List<String> bodies = List.of("{\"type\": \"about:blank\", \"detail\": \"ETag\"}", "no JSON", "[1]", "{",
					stale.formatted("\"refusedToken\": \"1\", \"newestToken\": \"9\""),
					stale.formatted("\"refusedToken\": \"%d\", \"newestToken\": \"%d\"".formatted(token, token)),
					stale.formatted("\"refusedToken\": \"%d\", \"newestToken\": \"x\"".formatted(token)),
					stale.formatted("\"refusedToken\": \"%d\"".formatted(token)), "x".repeat(100_000));
			for (String body : bodies) {
				this.receiver.reply("/other", 412, "application/problem+json", body);
				assertThat(sender.failure(this.context, this.receiver.uri(Receiver.LISTED, "/other")))
					.isEqualTo("412 " + body);
			}
			String ours = stale
				.formatted("\"refusedToken\": \"%d\", \"newestToken\": \"%d\"".formatted(token, token + 1));
			this.receiver.reply("/other", 412, "text/plain", ours);
			assertThat(sender.failure(this.context, this.receiver.uri(Receiver.LISTED, "/other")))
				.isEqualTo("412 " + ours);
			this.receiver.reply("/other", 412, "application/problem+json", ours);
			assertThat(sender.failure(this.context, this.receiver.uri(Receiver.UNLISTED, "/other")))
				.isEqualTo("412 " + ours);
			return null;
		});
		assertThat(this.context.getBean(StaleTokens.class).count()).isEqualTo(before);
	}

	@Test
	void aWebClientPrefersTheLeadershipOfItsContext() {
		Leadership leadership = this.elector.leadership().orElseThrow();
		this.context.getBean(WebClient.Builder.class)
			.build()
			.get()
			.uri(this.receiver.uri(Receiver.LISTED, "/"))
			.retrieve()
			.toBodilessEntity()
			.subscribeOn(Schedulers.parallel())
			.contextWrite((context) -> context.put(Leadership.class, leadership))
			.block();
		assertThat(this.receiver.received()).extracting(Received::tokens)
			.containsExactly(List.of(TokenHeader.format(leadership.token())));
	}

	@Test
	void theErrorOfAWebClientIsASignal() {
		Leadership leadership = this.elector.leadership().orElseThrow();
		this.elector.operations().stepDown().join();
		Mono<?> request = this.context.getBean(WebClient.Builder.class)
			.build()
			.get()
			.uri(this.receiver.uri(Receiver.LISTED, "/"))
			.retrieve()
			.toBodilessEntity()
			.contextWrite((context) -> context.put(Leadership.class, leadership));
		assertThat(request.map((answer) -> "answered")
			.onErrorResume(LeadershipLostException.class, (lost) -> Mono.just("lost"))
			.blockOptional()).isEqualTo(Optional.of("lost"));
		assertThat(this.receiver.received()).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeaderElectionAutoConfiguration.class, LeaderElectionWebAutoConfiguration.class,
			HttpClientAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class,
			ReactiveHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class,
			RestTemplateAutoConfiguration.class, WebClientAutoConfiguration.class })
	public static class Application {

		@Bean
		StaleTokens staleTokens(LeaderElections elections) {
			return new StaleTokens(elections);
		}

	}

}
