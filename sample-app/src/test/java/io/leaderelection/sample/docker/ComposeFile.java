package io.leaderelection.sample.docker;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * What we use of the Compose Specification. A key that is not here, or a value of another
 * kind, is refused.
 *
 * @param name the name of the project
 * @param services the containers, by their names
 * @param volumes the volumes with names
 */
record ComposeFile(String name, Map<String, Service> services, Map<String, @Nullable Object> volumes) {

	private static final JsonMapper MAPPER = JsonMapper.builder()
		.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
		.build();

	static ComposeFile read(String yaml) {
		Map<String, Object> file = new Yaml().load(yaml);
		file.keySet().removeIf((key) -> key.startsWith("x-"));
		return MAPPER.convertValue(file, ComposeFile.class);
	}

	/** The services that are started with a profile. */
	Map<String, Service> with(String profile) {
		Map<String, Service> started = new TreeMap<>(this.services);
		started.values().removeIf((service) -> !service.profiles().contains(profile));
		return started;
	}

	/**
	 * A container. Compose requires none of these.
	 */
	record Service(@Nullable String image, @Nullable Build build, @Nullable Boolean init,
			@Nullable String stopGracePeriod, @Nullable Restart restart, @Nullable HealthCheck healthcheck,
			@Nullable List<String> profiles, @Nullable Map<String, String> environment, @Nullable List<String> ports,
			@Nullable Map<String, Network> networks, @Nullable Map<String, Dependency> dependsOn,
			@Nullable List<String> command, @Nullable List<String> volumes) {

		Service {
			profiles = Objects.requireNonNullElse(profiles, List.of());
			environment = Objects.requireNonNullElse(environment, Map.of());
			ports = Objects.requireNonNullElse(ports, List.of());
			networks = Objects.requireNonNullElse(networks, Map.of());
			dependsOn = Objects.requireNonNullElse(dependsOn, Map.of());
			volumes = Objects.requireNonNullElse(volumes, List.of());
		}

		boolean isNode() {
			return this.build != null;
		}

		/** The port of the container by the port of this machine. */
		Map<Integer, Integer> publishedPorts() {
			Map<Integer, Integer> published = new TreeMap<>();
			for (String port : this.ports) {
				String[] parts = port.split(":");
				published.put(Integer.valueOf(parts[parts.length - 2]), Integer.valueOf(parts[parts.length - 1]));
			}
			return published;
		}

		/** Where files of the repository are found in the container. */
		Map<String, String> mounts() {
			Map<String, String> mounts = new TreeMap<>();
			for (String volume : this.volumes) {
				String[] parts = volume.split(":");
				mounts.put(parts[0], parts[1]);
			}
			return mounts;
		}

	}

	record Build(String context, String dockerfile) {
	}

	record HealthCheck(List<String> test, String interval, String timeout, int retries, @Nullable String startPeriod) {
	}

	record Network(List<String> aliases) {
	}

	record Dependency(Condition condition) {
	}

	/**
	 * What a service waits for.
	 */
	enum Condition {

		@JsonProperty("service_started")
		STARTED,

		@JsonProperty("service_healthy")
		HEALTHY,

		@JsonProperty("service_completed_successfully")
		COMPLETED

	}

	/**
	 * When a container is started again.
	 */
	enum Restart {

		@JsonProperty("no")
		NO,

		@JsonProperty("always")
		ALWAYS,

		@JsonProperty("on-failure")
		ON_FAILURE,

		@JsonProperty("unless-stopped")
		UNLESS_STOPPED

	}

}
