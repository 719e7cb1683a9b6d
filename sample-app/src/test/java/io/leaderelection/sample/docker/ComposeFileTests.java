package io.leaderelection.sample.docker;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.leaderelection.sample.docker.ComposeFile.Condition;
import io.leaderelection.sample.docker.ComposeFile.HealthCheck;
import io.leaderelection.sample.docker.ComposeFile.Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * {@code docker-compose.yml} and what it refers to, as far as that can be seen without
 * Docker.
 */
class ComposeFileTests {

	private static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();

	private static final JsonMapper JSON = new JsonMapper();

	private static final String TEXT = text("docker-compose.yml");

	private static final ComposeFile FILE = ComposeFile.read(TEXT);

	private static final Pattern DURATION = Pattern.compile("\\d+(ms|s|m)");

	private static final Pattern PINNED = Pattern.compile("[a-z/-]+:v?\\d+\\.\\d+\\.?\\d*[\\w.-]*");

	/** The programs that health checks may use, as the images have them. */
	private static final Map<String, Set<String>> PROGRAMS = Map.of("redis", Set.of("redis-cli"), "zookeeper",
			Set.of("zkServer.sh"), "postgres", Set.of("pg_isready"), "prom/prometheus", Set.of("wget"),
			"grafana/grafana", Set.of("wget"), "leader-election-sample", Set.of("bash"));

	@Test
	void durationsPortsAndVariablesAreWrittenAsComposeReadsThem() {
		assertThat(FILE.services().values()).isNotEmpty().allSatisfy((service) -> {
			HealthCheck check = service.healthcheck();
			assertThat(check).isNotNull();
			assertThat(Stream.of(check.interval(), check.timeout(), check.startPeriod(), service.stopGracePeriod())
				.filter((duration) -> duration != null)).allMatch((duration) -> DURATION.matcher(duration).matches());
			assertThat(check.retries()).isPositive();
			assertThat(service.ports()).as("open to this machine only")
				.allMatch((port) -> port.matches("127\\.0\\.0\\.1:\\d+:\\d+"));
		});
		assertThat(Pattern.compile("\\$\\{([^}]*)}").matcher(TEXT).results().map((MatchResult it) -> it.group(1)))
			.as("what a reader need not set")
			.isNotEmpty()
			.allMatch((variable) -> variable.matches("[A-Z_]+:-.+"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			healthcheck:            | healtcheck:
			condition: service_healthy | condition: service_well
			restart: unless-stopped | restart: sometimes
			retries: 12             | retries: often
			profiles: [redis]       | profiles: redis
			volumes: ["redis-data:/data"] | volume: ["redis-data:/data"]
			""")
	void aFileWithAMistakeIsRefused(String right, String wrong) {
		assertThat(TEXT).contains(right);
		assertThatExceptionOfType(DatabindException.class)
			.isThrownBy(() -> ComposeFile.read(TEXT.replaceFirst(Pattern.quote(right), wrong)));
	}

	@Test
	void imagesArePinned() {
		List<String> images = new ArrayList<>(
				FILE.services().values().stream().filter((service) -> !service.isNode()).map(Service::image).toList());
		text("sample-app/docker/Dockerfile").lines()
			.filter((line) -> line.startsWith("FROM "))
			.forEach((line) -> images.add(line.split(" ")[1]));
		assertThat(images).hasSizeGreaterThanOrEqualTo(7).allMatch((image) -> PINNED.matcher(image).matches());
	}

	@Test
	void everyPathExistsAndEveryVolumeIsDeclared() {
		Set<String> named = new TreeSet<>();
		FILE.services().values().forEach((service) -> {
			if (service.build() != null) {
				Path context = REPOSITORY.resolve(service.build().context());
				assertThat(context.resolve(service.build().dockerfile())).isRegularFile();
			}
			service.mounts().forEach((source, target) -> {
				assertThat(target).startsWith("/");
				if (source.startsWith(".")) {
					assertThat(REPOSITORY.resolve(source)).isRegularFile();
				}
				else {
					named.add(source);
				}
			});
		});
		assertThat(FILE.volumes().keySet()).isEqualTo(named);
	}

	@Test
	void everyVariableOfANodeIsAPropertyOfIt() throws IOException {
		Set<String> known = knownVariables();
		assertThat(nodes(FILE.services())).hasSize(9).allSatisfy((node) -> {
			assertThat(node.environment().keySet()).allMatch(known::contains);
			assertThat(profilesOf(node)).first().isEqualTo("demo");
			assertThat(text("sample-app/src/main/resources/application.yml"))
				.contains(profilesOf(node).stream().map("on-profile: "::concat).toList());
		});
	}

	private static List<String> profilesOf(Service node) {
		return List.of(node.environment().get("SPRING_PROFILES_ACTIVE").split(","));
	}

	/** What Spring Boot reads from the environment, and the variable of our own. */
	private static Set<String> knownVariables() throws IOException {
		Set<String> known = new TreeSet<>(Set.of("NODE_ID"));
		assertThat(text("sample-app/src/main/resources/application.yml")).contains("${NODE_ID:");
		for (URL metadata : Collections.list(
				ComposeFileTests.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream json = metadata.openStream()) {
				JSON.readTree(json)
					.path("properties")
					.valueStream()
					.filter((property) -> !property.has("deprecation"))
					.map((property) -> property.get("name").asString().replace("-", "").replace('.', '_'))
					.forEach((name) -> known.add(name.toUpperCase(Locale.ROOT)));
			}
		}
		return known;
	}

	@ParameterizedTest
	@ValueSource(strings = { "redis", "zookeeper", "postgresql" })
	void aProfileIsThreeNodesAndWhatTheyNeed(String profile) {
		Map<String, Service> services = FILE.with(profile);
		List<Service> nodes = nodes(services);
		assertThat(nodes).extracting((node) -> node.environment().get("NODE_ID"))
			.containsExactly("node-a", "node-b", "node-c");
		assertThat(nodes).allSatisfy((node) -> {
			assertThat(profilesOf(node)).containsExactly("demo", profile);
			assertThat(node.networks().get("default").aliases()).containsExactly(node.environment().get("NODE_ID"));
			assertThat(node.init()).as("a process 1 cannot be frozen").isTrue();
			String names = node.environment().get("DEMO_PEERNAMES");
			assertThat(names).isEqualTo("node-a,node-b,node-c");
			assertThat(node.environment().get("DEMO_PEERS")).isEqualTo(nodes.stream()
				.map((it) -> "http://localhost:" + it.publishedPorts().keySet().iterator().next())
				.collect(Collectors.joining(",")));
			assertThat(serversOf(node)).contains("postgres").contains(profile.replace("postgresql", "postgres"));
			assertThat(serversOf(node)).allMatch(services::containsKey);
			assertThat(node.dependsOn().keySet()).containsAll(serversOf(node));
		});
		List<Integer> ports = services.values()
			.stream()
			.flatMap((service) -> service.publishedPorts().keySet().stream())
			.toList();
		assertThat(ports).doesNotHaveDuplicates();
		assertThat(services.values()).allSatisfy((service) -> service.dependsOn().forEach((name, dependency) -> {
			assertThat(services).containsKey(name);
			assertThat(dependency.condition()).isEqualTo(Condition.HEALTHY);
		}));
	}

	private static List<Service> nodes(Map<String, Service> services) {
		return services.values().stream().filter(Service::isNode).toList();
	}

	/** The hosts that its variables name. */
	private static List<String> serversOf(Service node) {
		Map<String, String> environment = node.environment();
		return Stream
			.of(environment.get("SPRING_DATASOURCE_URL").replaceAll("jdbc:postgresql://(\\w+):5432/sample", "$1"),
					environment.get("SPRING_DATA_REDIS_HOST"),
					environment.getOrDefault("LEADERELECTION_ZOOKEEPER_CONNECTSTRING", "").replace(":2181", ""))
			.filter((host) -> host != null && !host.isEmpty())
			.toList();
	}

	@Test
	void theDatabaseIsTheOneThatTheNodesAskFor() {
		Map<String, String> database = FILE.services().get("postgres").environment();
		assertThat(nodes(FILE.services())).extracting(Service::environment).allSatisfy((node) -> {
			assertThat(node.get("SPRING_DATASOURCE_URL")).endsWith("/" + database.get("POSTGRES_DB"));
			assertThat(node.get("SPRING_DATASOURCE_USERNAME")).isEqualTo(database.get("POSTGRES_USER"));
			assertThat(node.get("SPRING_DATASOURCE_PASSWORD")).isEqualTo(database.get("POSTGRES_PASSWORD"));
		});
	}

	@Test
	void healthIsAskedForByProgramsOfTheImageOnPortsOfTheContainer() {
		FILE.services().forEach((name, service) -> {
			List<String> test = service.healthcheck().test();
			assertThat(test.get(0)).isEqualTo("CMD");
			assertThat(PROGRAMS.get(service.image().replaceAll(":.*", ""))).as(name).contains(test.get(1));
			Pattern.compile("(?:localhost:|/dev/tcp/127\\.0\\.0\\.1/)(\\d+)")
				.matcher(String.join(" ", test))
				.results()
				.forEach((port) -> assertThat(service.publishedPorts().values())
					.contains(Integer.valueOf(port.group(1))));
		});
	}

	@Test
	void prometheusAsksEveryNodeOfEveryProfile() {
		Map<String, String> mounts = FILE.services().get("prometheus").mounts();
		assertThat(mounts).containsEntry("./sample-app/docker/prometheus.yml", "/etc/prometheus/prometheus.yml");
		JsonNode settings = yaml("sample-app/docker/prometheus.yml");
		JsonNode job = settings.at("/scrape_configs/0");
		Set<String> targets = values(job.at("/static_configs/0/targets"));
		for (String profile : List.of("redis", "zookeeper", "postgresql")) {
			assertThat(nodes(FILE.with(profile)).stream()
				.map((node) -> node.networks().get("default").aliases().get(0) + ":"
						+ node.publishedPorts().values().iterator().next()))
				.as(profile)
				.containsExactlyInAnyOrderElementsOf(targets);
		}
		assertThat(text("sample-app/docker/Dockerfile")).contains("EXPOSE 8080");
		JsonNode application = yaml("sample-app/src/main/resources/application.yml");
		assertThat(application.at("/server/port").asInt()).isEqualTo(8080);
		assertThat(job.get("metrics_path").asString()).isEqualTo("/actuator/prometheus");
		assertThat(application.at("/management/endpoints/web/exposure/include").asString()).contains("prometheus");
		assertThat(values(settings.get("rule_files"))).isNotEmpty()
			.allMatch((file) -> mounts.containsValue("/etc/prometheus/" + file));
	}

	@Test
	void grafanaShowsOurDashboardFromThatPrometheus() {
		Service grafana = FILE.services().get("grafana");
		JsonNode source = yaml("sample-app/docker/grafana/datasources.yml").at("/datasources/0");
		int port = FILE.services().get("prometheus").publishedPorts().values().iterator().next();
		assertThat(source.get("type").asString()).isEqualTo("prometheus");
		assertThat(source.get("url").asString()).isEqualTo("http://prometheus:" + port);
		String dashboard = grafana.mounts().get("./docs/monitoring/leader-election-dashboard.json");
		String folder = yaml("sample-app/docker/grafana/dashboards.yml").at("/providers/0/options/path").asString();
		assertThat(Path.of(dashboard).getParent()).isEqualTo(Path.of(folder));
		assertThat(grafana.environment()).containsEntry("GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH", dashboard);
		for (String kind : List.of("datasources", "dashboards")) {
			assertThat(grafana.mounts().get("./sample-app/docker/grafana/%s.yml".formatted(kind)))
				.startsWith("/etc/grafana/provisioning/%s/".formatted(kind));
		}
		JsonNode variables = JSON.readTree(text("docs/monitoring/leader-election-dashboard.json"))
			.at("/templating/list");
		assertThat(StreamSupport.stream(variables.spliterator(), false))
			.anyMatch((variable) -> "datasource".equals(variable.path("type").asString())
					&& "prometheus".equals(variable.path("query").asString()));
	}

	/** The server that initializes the database is reached by its socket alone. */
	@Test
	void theDatabaseIsNotHealthyBeforeItIsInitialized() {
		assertThat(FILE.services().get("postgres").healthcheck().test()).containsSequence("--host", "127.0.0.1");
	}

	@Test
	void theImageBuildsWhatTheDemoBuilds() {
		Set<String> modules = new TreeSet<>();
		Pattern.compile("build sample-app ((?:[a-z/ -]|\\\\\\n|\\t)+)")
			.matcher(text("demo"))
			.results()
			.flatMap((build) -> Stream.of(build.group(1).split("[\\s\\\\]+")))
			.filter((module) -> !module.isEmpty())
			.forEach(modules::add);
		modules.add("sample-app");
		assertThat(Pattern.compile("-pl (\\S+)")
			.matcher(text("sample-app/docker/Dockerfile"))
			.results()
			.flatMap((build) -> Stream.of(build.group(1).split(",")))).containsExactlyInAnyOrderElementsOf(modules);
	}

	@Test
	void theImageRunsAsAUserWhoCanWriteItsDatabaseAndIsInNoSharedGroup() {
		assertThat(text("sample-app/docker/Dockerfile")).contains("--owner 10001 --group 10001 sample-app-data",
				"USER 10001:10001");
		assertThat(yaml("sample-app/src/main/resources/application.yml").at("/spring/datasource/url").asString())
			.contains("./sample-app-data/");
	}

	private static Set<String> values(JsonNode list) {
		return list.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
	}

	/** The first document of a file. */
	private static JsonNode yaml(String file) {
		return JSON.valueToTree(new Yaml().loadAll(text(file)).iterator().next());
	}

	private static String text(String file) {
		try {
			return Files.readString(REPOSITORY.resolve(file), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
