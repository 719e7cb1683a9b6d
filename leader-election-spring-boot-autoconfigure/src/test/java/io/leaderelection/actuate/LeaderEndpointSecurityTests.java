package io.leaderelection.actuate;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.OnLoss;
import io.leaderelection.Work;
import io.leaderelection.docs.PastedConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoint in an application with Spring Security.
 */
@Timeout(120)
class LeaderEndpointSecurityTests {

	private static final String UNRESTRICTED = "management.endpoint.leader.access=unrestricted";

	private static final String STEP_DOWN = "{\"action\": \"step-down\"}";

	private static final String TRANSFER = "{\"action\": \"transfer\", \"to\": \"node-b\"}";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void withSpringBootsOwnRulesUsersReadAndNobodyWritesWithoutACsrfToken(WebApplicationType type) {
		try (EndpointNode node = EndpointNode.withSecurity(type, List.of(), UNRESTRICTED,
				"spring.security.user.name=ada", "spring.security.user.password=secret")) {
			await().until(node.elector("reports")::isLeader);
			assertThat(node.get("").status()).isEqualTo(401);
			assertThat(node.get("/reports").status()).isEqualTo(401);
			assertThat(node.as("eve").get("/reports").status()).isEqualTo(401);
			assertThat(node.post("/reports", STEP_DOWN).status()).isIn(401, 403);
			assertThat(node.as("ada").get("/reports").status()).isEqualTo(200);
			// a servlet container goes on to the page of errors, which nobody may see
			// either
			assertThat(node.as("ada").post("/reports", STEP_DOWN).status()).isIn(401, 403);
			assertUnchanged(node);
		}
	}

	@Test
	void oneRoleReadsAndAnotherWrites() {
		try (EndpointNode node = operated()) {
			await().until(node.elector("reports")::isLeader);
			assertThat(node.get("").status()).isEqualTo(401);
			assertThat(node.post("/reports", STEP_DOWN).status()).isEqualTo(401);
			assertThat(node.as("nobody").get("").status()).isEqualTo(403);
			assertThat(node.as("nobody").post("/reports", STEP_DOWN).status()).isEqualTo(403);
			assertThat(node.as("reader").get("").status()).isEqualTo(200);
			assertThat(node.as("reader").get("/reports").status()).isEqualTo(200);
			assertThat(node.as("reader").post("/reports", STEP_DOWN).status()).isEqualTo(403);
			assertUnchanged(node);
			EndpointNode.As operator = node.as("operator");
			assertThat(operator.get("/unknown").status()).isEqualTo(404);
			assertThat(operator.post("/unknown", STEP_DOWN).status()).isEqualTo(404);
			assertThat(operator.post("/reports", "{\"action\": \"explode\"}").status()).isEqualTo(400);
			assertThat(operator.post("/reports", TRANSFER).status()).isEqualTo(400);
			node.silence("reports");
			assertThat(operator.post("/reports", TRANSFER).status()).isEqualTo(503);
			assertUnchanged(node);
			assertThat(operator.post("/reports", "{\"action\": \"pause\"}").status()).isEqualTo(200);
			assertThat(node.elector("reports").isLeader()).isFalse();
			assertThat(operator.post("/reports", STEP_DOWN).status()).isEqualTo(409);
			assertThat(operator.post("/reports", "{\"action\": \"resume\"}").status()).isEqualTo(200);
			await().until(node.elector("reports")::isLeader);
			assertThat(operator.post("/reports", STEP_DOWN).status()).isEqualTo(200);
			assertThat(node.elector("reports").isLeader()).isFalse();
		}
	}

	@Test
	void anOperatorHandsOver() {
		try (EndpointNode node = operated();
				LeaderElections other = LeaderElections.on(node.store()).nodeId("node-b").build()) {
			await().until(node.elector("reports")::isLeader);
			LeaderElector standing = other.elector("reports", ElectionSettings.ofLease(EndpointNode.LEASE));
			other.start();
			await().until(() -> node.elector("reports").operations().candidates().join().contains("node-b"));
			assertThat(node.as("reader").post("/reports", TRANSFER).status()).isEqualTo(403);
			assertUnchanged(node);
			EndpointNode.Answer answer = node.as("operator").post("/reports", TRANSFER);
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.body()).containsEntry("action", "transfer")
				.containsEntry("complete", true)
				.containsEntry("released", true);
			await().until(standing::isLeader);
			assertThat(node.elector("reports").isLeader()).isFalse();
		}
	}

	@Test
	void anOperatorIsToldOfWorkThatIsStillUnderWay() {
		try (EndpointNode node = operated()) {
			await().until(node.elector("reports")::isLeader);
			Work work = node.elector("reports").begin(OnLoss.SIGNAL).orElseThrow();
			try {
				EndpointNode.Answer answer = node.as("operator").post("/reports", STEP_DOWN);
				assertThat(answer.status()).isEqualTo(202);
				assertThat(answer.body()).containsEntry("complete", false).containsEntry("released", false);
			}
			finally {
				work.end();
			}
		}
	}

	private EndpointNode operated(String... properties) {
		return operated(List.of(), properties);
	}

	private List<Class<?>> withDocumentedRules() {
		return List.of(PastedConfiguration.firstOf("docs/actuator.md", this.folder), Users.class);
	}

	private EndpointNode operated(List<Class<?>> sources, String... properties) {
		return EndpointNode.withSecurity(WebApplicationType.SERVLET,
				Stream.concat(withDocumentedRules().stream(), sources.stream()).toList(),
				Stream.concat(Stream.of(UNRESTRICTED), Stream.of(properties)).toArray(String[]::new));
	}

	@Test
	void theDocumentedRulesLeaveSpringBootsRulesForAllOtherPathsInForce() {
		try (EndpointNode node = EndpointNode.autoConfigured(withDocumentedRules(), UNRESTRICTED,
				"management.endpoints.web.exposure.include=*")) {
			assertThat(node.get("/reports").status()).isEqualTo(401);
			assertThat(node.as("reader").get("/reports").status()).isEqualTo(200);
			assertThat(node.as("reader").post("/reports", STEP_DOWN).status()).isEqualTo(403);
			assertThat(node.as("operator").post("/unknown", STEP_DOWN).status()).isEqualTo(404);
			assertThat(node.statusOf("/other", null)).isEqualTo(401);
			assertThat(node.statusOf("/other", "nobody")).isEqualTo(404);
			assertThat(node.statusOf("/actuator/env", null)).isEqualTo(401);
			assertThat(node.statusOf("/actuator/env", "nobody")).isEqualTo(200);
			// without its servers the application is not healthy
			assertThat(node.statusOf("/actuator/health", null)).isIn(200, 503);
			assertThat(node.post("/reports", STEP_DOWN).status()).isEqualTo(401);
			assertThat(node.as("nobody").post("/../loggers/io.leaderelection", "{}").status()).isIn(401, 403);
		}
	}

	@Test
	void theDocumentedRulesJoinAFilterChainOfTheApplication() {
		try (EndpointNode node = operated(List.of(OwnChain.class), "management.endpoints.web.exposure.include=*")) {
			assertThat(node.get("").status()).isEqualTo(401);
			assertThat(node.as("nobody").get("").status()).isEqualTo(403);
			assertThat(node.as("reader").get("").status()).isEqualTo(200);
			assertThat(node.as("reader").post("/reports", STEP_DOWN).status()).isEqualTo(403);
			assertThat(node.as("operator").post("/unknown", STEP_DOWN).status()).isEqualTo(404);
			assertThat(node.statusOf("/open", null)).isEqualTo(404);
			assertThat(node.statusOf("/other", null)).isEqualTo(401);
			assertThat(node.statusOf("/other", "nobody")).isEqualTo(403);
			assertThat(node.statusOf("/other", "operator")).isEqualTo(404);
			assertThat(node.statusOf("/actuator/env", "reader")).isEqualTo(403);
		}
	}

	/**
	 * Without a token, a page of another site could send a form with a user's session.
	 */
	@Test
	void aFormIsNoAction() {
		try (EndpointNode node = operated()) {
			for (String form : List.of("text/plain", "application/x-www-form-urlencoded",
					"multipart/form-data; boundary=part")) {
				assertThat(node.as("operator").post("/reports", STEP_DOWN, form).status()).as(form).isEqualTo(415);
			}
		}
	}

	private static void assertUnchanged(EndpointNode node) {
		assertThat(node.elector("reports").isLeader()).isTrue();
		assertThat(node.elector("reports").status().transitions()).hasSize(1);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnChain {

		@Bean
		SecurityFilterChain ownChain(HttpSecurity http) {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers("/open", "/error")
					.permitAll()
					.anyRequest()
					.hasRole("OPERATOR"))
				.httpBasic(Customizer.withDefaults())
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("operator").password("{noop}secret").roles("OPERATOR").build(),
					User.withUsername("reader").password("{noop}secret").roles("READER").build(),
					User.withUsername("nobody").password("{noop}secret").roles("OTHER").build());
		}

	}

}
