package io.leaderelection.actuate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.actuate.EndpointNode.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.web.util.UriUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint over HTTP, in an application without Spring Security.
 */
abstract class LeaderEndpointHttpContract extends LeaderEndpointContract {

	private final WebApplicationType type;

	LeaderEndpointHttpContract(WebApplicationType type) {
		this.type = type;
	}

	@Override
	EndpointNode start() {
		return EndpointNode.withoutSecurity(this.type, "management.endpoint.leader.access=unrestricted");
	}

	@Override
	Answer read() {
		return node().get("");
	}

	@Override
	Answer read(String election) {
		return node().get(path(election));
	}

	@Override
	Answer act(String election, Map<String, String> wish) {
		return node().post(path(election),
				wish.entrySet()
					.stream()
					.map((field) -> "\"%s\":\"%s\"".formatted(field.getKey(), field.getValue()))
					.collect(Collectors.joining(",", "{", "}")));
	}

	/** Slashes as they are: servers do not take them encoded. */
	private static String path(String election) {
		return Stream.of(election.split("/", -1))
			.map((segment) -> UriUtils.encode(segment, StandardCharsets.UTF_8))
			.collect(Collectors.joining("/", "/", ""));
	}

	@Override
	int status(int http) {
		return http;
	}

	@Test
	void whoAsksForAnUnknownElectionIsToldWhichThereAre() {
		assertThat(read("unknown").allowed()).contains("reports", election());
	}

	@Test
	void whatWouldHaveBeenRightIsAListOfItsOwn() {
		assertThat(act(election(), Map.of("action", "explode")).allowed()).containsExactly("step-down", "transfer",
				"pause", "resume");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "{", "[]", "\"pause\"", "{\"action\": [\"pause\"]}", "{\"action\": {\"name\": \"pause\"}}" })
	void whatIsNoObjectOfTextsChangesNothing(String body) {
		assertThat(node().post("/" + election(), body).status()).isEqualTo(400);
		assertUnchanged();
	}

	@Test
	void aFieldThatWouldNotBeReadIsRefused() {
		Answer answer = node().post("/" + election(), "{\"action\": \"step-down\", \"hold-off\": \"1h\"}");
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.detail()).isEqualTo("There is no field 'hold-off'; allowed: action, holdOff, to");
		assertThat(answer.allowed()).containsExactly("action", "holdOff", "to");
		assertUnchanged();
	}

	@Test
	void anEmptyBodyChangesNothing() {
		assertThat(node().post("/" + election(), "").detail()).startsWith("'action' is missing");
		assertUnchanged();
	}

	@Test
	void theAnswersHaveTheShapeOfTheDocumentedOnes() throws IOException {
		standBy();
		List<Map<String, Object>> documented = documented();
		read(election());
		Map<String, Object> node = read().body();
		// what other tests may have left behind
		new Answer(200, node).at("elections", election(), "store").put("lastError", null);
		node.put("elections", Map.of("reports", new Answer(200, node).at("elections", election())));
		assertThat(shape(node)).isEqualTo(shape(documented.get(0)));
		assertThat(act(election(), Map.of("action", "explode")).body()).isEqualTo(documented.get(2));
		Map<String, Object> outcome = act(election(), Map.of("action", "step-down", "holdOff", "5m")).body();
		assertThat(new Answer(200, outcome).at("state")).containsOnlyKeys(read(election()).body().keySet());
		outcome.put("state", documented.get(1).get("state"));
		outcome.put("election", "reports");
		assertThat(outcome).isEqualTo(documented.get(1));
	}

	private static List<Map<String, Object>> documented() throws IOException {
		String page = Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/actuator.md"));
		Matcher examples = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(page);
		List<Map<String, Object>> documented = examples.results()
			.map((example) -> JsonParserFactory.getJsonParser().parseMap(example.group(1)))
			.toList();
		assertThat(documented).hasSizeGreaterThanOrEqualTo(3);
		return documented;
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

}
