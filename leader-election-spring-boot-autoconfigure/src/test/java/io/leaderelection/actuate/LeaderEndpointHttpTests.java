package io.leaderelection.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.Leadership;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The endpoint as operators meet it: a real server, and another node that stands by.
 */
@Timeout(120)
class LeaderEndpointHttpTests {

	private static final InMemoryLeaseStore STORE = new InMemoryLeaseStore();

	private final HttpClient client = HttpClient.newHttpClient();

	private final LeaderElections other = LeaderElections.on(STORE)
		.nodeId("node-b")
		.settings(ElectionSettings.ofLease(Duration.ofSeconds(10)))
		.build();

	private ConfigurableApplicationContext application = run(WebApplicationType.SERVLET,
			"management.endpoint.leader.access=unrestricted");

	@AfterEach
	void stop() {
		this.application.close();
		this.other.close();
	}

	@Test
	void saysWhoLeadsAndWhy() {
		lead();
		standBy();
		Map<String, Object> node = get("", 200);
		assertThat(node).containsEntry("nodeId", "node-a").containsOnlyKeys("nodeId", "backend", "elections");
		assertThat(map(node, "backend")).containsEntry("name", InMemoryLeaseStore.class.getName())
			.containsEntry("limits", STORE.limits());
		Map<String, Object> election = map(map(node, "elections"), "reports");
		assertThat(election).containsOnlyKeys("state", "leading", "leader", "lease", "store", "inFlight", "transitions",
				"standby", "unfit");
		assertThat(election).containsEntry("state", "leader")
			.containsEntry("leading", true)
			.containsEntry("inFlight", 0)
			.containsEntry("standby", List.of("node-b"));
		long token = elector().fencingToken().orElseThrow().value();
		assertThat(map(election, "leader")).containsEntry("nodeId", "node-a")
			.containsEntry("token", token)
			.containsKey("since");
		assertThat(map(election, "lease")).containsEntry("duration", "PT10S")
			.containsEntry("token", token)
			.containsKeys("remainingValidity", "lastRenewal");
		assertThat(map(election, "store")).containsEntry("failuresInARow", 0)
			.containsKey("lastRoundTrip")
			.containsEntry("lastError", null);
		assertThat(get("/reports", 200)).containsOnlyKeys(election.keySet());
	}

	@Test
	void theAnswerHasTheShapeOfTheDocumentedOne() throws IOException {
		lead();
		standBy();
		String page = Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/actuator.md"));
		Matcher example = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(page);
		assertThat(example.find()).isTrue();
		assertThat(shape(get("", 200))).isEqualTo(shape(JsonParserFactory.getJsonParser().parseMap(example.group(1))));
	}

	private static Object shape(Object value) {
		if (value instanceof Map<?, ?> map) {
			Map<Object, Object> shapes = new TreeMap<>();
			map.forEach((key, nested) -> shapes.put(key, shape(nested)));
			return shapes;
		}
		if (value instanceof List<?> list) {
			return list.isEmpty() ? List.of() : List.of(shape(list.get(0)));
		}
		return (value != null) ? value.getClass().getSimpleName().replace("Integer", "Long") : "null";
	}

	@Test
	void keepsTheReasonsOfChanges() {
		lead();
		post("/reports", "{\"action\":\"pause\"}", 200);
		List<?> transitions = (List<?>) get("/reports", 200).get("transitions");
		assertThat(transitions).hasSize(2);
		assertThat(map(transitions.get(0))).containsEntry("kind", "gained").containsEntry("reason", null);
		assertThat(map(transitions.get(1))).containsEntry("kind", "lost").containsEntry("reason", "paused");
	}

	@Test
	void aNodeStepsDownAndAnotherTakesOver() {
		lead();
		standBy();
		Map<String, Object> outcome = post("/reports", "{\"action\":\"step-down\",\"holdOff\":\"1h\"}", 200);
		assertThat(outcome).containsEntry("complete", true)
			.containsEntry("released", true)
			.containsEntry("action", "step-down");
		await().until(this.other.elector("reports")::isLeader);
	}

	@Test
	void leadershipIsHandedToANamedNode() {
		lead();
		standBy();
		assertThat(post("/reports", "{\"action\":\"transfer\",\"to\":\"node-b\"}", 200)).containsEntry("released",
				true);
		await().until(this.other.elector("reports")::isLeader);
	}

	@Test
	void aPauseLastsUntilItIsEnded() {
		lead();
		assertThat(map(post("/reports", "{\"action\":\"pause\"}", 200), "state")).containsEntry("state", "paused");
		assertThat(elector().tryBecomeLeader()).isFalse();
		assertThat(post("/reports", "{\"action\":\"resume\"}", 200)).containsEntry("complete", true);
		await().until(elector()::isLeader);
	}

	@Test
	void anElectionThatDoesNotExistIsNotFound() {
		get("/unknown", 404);
		assertThat(post("/unknown", "{\"action\":\"pause\"}", 404).get("allowed")).isEqualTo(List.of("reports"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"action":"explode"}                            | explode            | step-down
			{}                                              | 'action'           | resume
			{"action":"transfer"}                           | 'to'               | node-b
			{"action":"transfer","to":"node-x"}             | node-x             | node-b
			{"action":"pause","to":"node-b"}                | transfer           |
			{"action":"step-down","holdOff":"soon"}         | soon               |
			{"action":"step-down","holdOff":"-1s"}          | -1s                |
			{"action":"resume","holdOff":"1s"}              | step-down          |
			""")
	void whatMakesNoSenseChangesNothing(String body, String named, String allowed) {
		lead();
		standBy();
		get("/reports", 200);
		Map<String, Object> refusal = post("/reports", body, 400);
		assertThat((String) refusal.get("detail")).contains(named);
		if (allowed != null) {
			assertThat(refusal.get("allowed")).asInstanceOf(InstanceOfAssertFactories.list(String.class))
				.contains(allowed);
		}
		assertThat(elector().isLeader()).isTrue();
		assertThat(elector().status().transitions()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			{"action":"step-down"}
			{"action":"transfer","to":"node-a"}
			""")
	void aFollowerNamesTheLeaderToAsk(String body) {
		this.other.elector("reports");
		this.other.start();
		lead();
		standBy();
		this.elector().stepDown(Duration.ofHours(1)).join();
		await().until(this.other.elector("reports")::isLeader);
		await().until(() -> elector().getCurrentLeader().isPresent() || elector().tryBecomeLeader());
		assertThat((String) post("/reports", body, 409).get("detail")).contains("does not lead 'reports'");
		assertThat(this.other.elector("reports").isLeader()).isTrue();
	}

	@Test
	void workIsWaitedForOnlySoLong() {
		lead();
		Leadership leadership = elector().leadership().orElseThrow();
		assertThat(leadership.enter()).isTrue();
		LeaderEndpoint endpoint = new LeaderEndpoint(this.application.getBean(LeaderElections.class),
				new NodeDescription.Backend("any", List.of()), Duration.ofMillis(1));
		WebEndpointResponse<?> answer = new LeaderEndpointWebExtension(endpoint).act("reports", "step-down", null,
				null);
		assertThat(answer.getStatus()).isEqualTo(202);
		Outcome outcome = (Outcome) answer.getBody();
		assertThat(outcome.complete()).isFalse();
		assertThat(outcome.state().state()).isEqualTo("draining");
		assertThat(outcome.state().inFlight()).isOne();
		leadership.exit();
	}

	@Test
	void nothingIsWrittenByDefault() {
		this.application.close();
		this.application = run(WebApplicationType.SERVLET);
		lead();
		get("/reports", 200);
		send(request("/reports").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"action\":\"pause\"}")), 405);
		assertThat(elector().isLeader()).isTrue();
	}

	@Test
	void aReactiveServerAnswersLikewise() {
		this.application.close();
		this.application = run(WebApplicationType.REACTIVE, "management.endpoint.leader.access=unrestricted");
		lead();
		assertThat(map(map(get("", 200), "elections"), "reports")).containsEntry("leading", true);
		assertThat((String) post("/reports", "{\"action\":\"explode\"}", 400).get("detail")).contains("explode");
		assertThat(post("/reports", "{\"action\":\"step-down\"}", 200)).containsEntry("released", true);
		get("/unknown", 404);
	}

	private void lead() {
		await().until(elector()::isLeader);
	}

	private void standBy() {
		LeaderElector standing = this.other.elector("reports");
		this.other.start();
		await().until(() -> standing.getCurrentLeader().isPresent());
	}

	private LeaderElector elector() {
		return this.application.getBean(LeaderElections.class).elector("reports");
	}

	private Map<String, Object> get(String path, int status) {
		return send(request(path).GET(), status);
	}

	private Map<String, Object> post(String path, String body, int status) {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)), status);
	}

	private HttpRequest.Builder request(String path) {
		String port = this.application.getEnvironment().getProperty("local.server.port");
		return HttpRequest.newBuilder(URI.create("http://localhost:%s/actuator/leader%s".formatted(port, path)));
	}

	private Map<String, Object> send(HttpRequest.Builder request, int status) {
		HttpResponse<String> response = this.client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
			.join();
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return response.body().startsWith("{") ? JsonParserFactory.getJsonParser().parseMap(response.body()) : Map.of();
	}

	private static Map<String, Object> map(Map<String, Object> map, String key) {
		return map(map.get(key));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Object value) {
		return (Map<String, Object>) value;
	}

	private static ConfigurableApplicationContext run(WebApplicationType type, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(type)
			.properties("server.port=0", "leader-election.node-id=node-a",
					"management.endpoints.web.exposure.include=leader", "spring.docker.compose.enabled=false",
					"leader-election.elections.reports.lease-duration=10s")
			.properties(properties)
			.run();
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
	static class Application {

		@Bean
		LeaseStore store() {
			STORE.clear();
			return STORE;
		}

	}

}
