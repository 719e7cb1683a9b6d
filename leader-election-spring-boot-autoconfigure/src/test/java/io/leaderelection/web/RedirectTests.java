package io.leaderelection.web;

import java.util.List;

import io.leaderelection.LeaderElector;
import io.leaderelection.web.Receiver.Received;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listed host that redirects to another one does not get the token there.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedirectTests {

	@ParameterizedTest
	@CsvSource({ "REST_CLIENT, imperative.factory=jdk", "REST_CLIENT, imperative.factory=simple",
			"REST_CLIENT, imperative.factory=reactor", "REST_TEMPLATE, imperative.factory=jdk",
			"WEB_CLIENT, reactive.connector=reactor", "WEB_CLIENT, reactive.connector=jdk" })
	void aTokenDoesNotFollowARedirect(Sender sender, String client, CapturedOutput output) throws Exception {
		try (Receiver receiver = new Receiver(); ConfigurableApplicationContext context = start(client)) {
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			for (int status : new int[] { 301, 302, 303, 307, 308 }) {
				receiver.redirect("/from", status, receiver.uri(Receiver.UNLISTED, "/to"));
				for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.PUT)) {
					int answer = elector
						.executeAsLeader(() -> sender.send(context, method, receiver.uri(Receiver.LISTED, "/from")))
						.getStatusCode()
						.value();
					assertThat(receiver.received()).containsExactly(new Received(Receiver.LISTED, "/from",
							List.of(TokenHeader.format(elector.fencingToken().orElseThrow()))));
					assertThat(answer).isEqualTo(status);
				}
			}
			assertThat(output.toString().split("are not followed", -1)).as("said once").hasSize(2);
			assertThat(output).contains("redirects to " + receiver.uri(Receiver.UNLISTED, "/to"),
					"leader-election.web.client.token-hosts");
		}
	}

	@ParameterizedTest
	@CsvSource({ "REST_CLIENT, imperative.factory=jdk", "WEB_CLIENT, reactive.connector=reactor" })
	void otherHostsRedirectAsBefore(Sender sender, String client) throws Exception {
		try (Receiver receiver = new Receiver(); ConfigurableApplicationContext context = start(client)) {
			LeaderElector elector = context.getBean(LeaderElector.class);
			Awaitility.await().until(elector::isLeader);
			receiver.redirect("/from", 302, receiver.uri(Receiver.LISTED, "/to"));
			assertThat(elector.executeAsLeader(() -> sender.get(context, receiver.uri(Receiver.UNLISTED, "/from")))
				.getBody()).isEqualTo("fine");
			assertThat(receiver.received()).extracting(Received::tokens).containsExactly(List.of(), List.of());
		}
	}

	@Test
	void whoHasAClientThatCannotButFollowIsToldWhatToDo() {
		FailureAnalysis analysis = new FollowedRedirectsFailureAnalyzer()
			.analyze(new FollowedRedirectsException("some.Client", new IllegalStateException()));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).isEqualTo("some.Client cannot be told not to follow redirects, so that "
				+ "tokens could reach hosts that are not in leader-election.web.client.token-hosts.");
		assertThat(analysis.getAction()).startsWith("Choose another one by spring.http.clients.imperative.factory");
	}

	private static ConfigurableApplicationContext start(String client) {
		return new SpringApplicationBuilder(SentTokensTests.Application.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.registerShutdownHook(false)
			.run("--leader-election.backend=local", "--leader-election.web.client.token-hosts=" + Receiver.LISTED,
					"--spring.http.clients." + client, "--spring.reactor.netty.shutdown-quiet-period=0s");
	}

}
