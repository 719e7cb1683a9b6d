package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an editor knows about the properties of this module.
 */
class ConfigurationMetadataTests {

	private final ConfigurationMetadata metadata = new ConfigurationMetadata();

	@Test
	void everyPropertyHasADescription() {
		assertThat(properties()).hasSizeGreaterThan(10)
			.allSatisfy((property) -> assertThat((String) property.get("description")).as("%s", property.get("name"))
				.isNotBlank()
				.endsWith("."));
	}

	@Test
	void everyPropertyThatIsNotASwitchHasValuesToChooseFrom() {
		Set<String> hinted = hints().stream()
			.map((hint) -> ((String) hint.get("name")).replace(".keys", ""))
			.collect(Collectors.toSet());
		List<String> wanting = properties().stream()
			.filter((property) -> !"java.lang.Boolean".equals(property.get("type")))
			.map((property) -> (String) property.get("name"))
			// those of an endpoint are the same for all endpoints
			.filter((name) -> name.startsWith("leader-election.") && !hinted.contains(name))
			.toList();
		assertThat(wanting).as("properties without a hint in additional-spring-configuration-metadata.json").isEmpty();
	}

	@Test
	void everyHintIsForAPropertyThatExists() {
		Set<String> names = properties().stream()
			.map((property) -> (String) property.get("name"))
			.collect(Collectors.toSet());
		assertThat(hints()).extracting((hint) -> ((String) hint.get("name")).replace(".keys", ""))
			.allSatisfy((name) -> assertThat(names).contains(name));
	}

	@Test
	void everyPropertyIsKnown() {
		assertThat(properties()).extracting((property) -> property.get("name"))
			.contains("leader-election.auto-startup", "leader-election.backend", "leader-election.call-timeout",
					"leader-election.clock-drift", "leader-election.cold-start-wait", "leader-election.drain-timeout",
					"leader-election.elections", "leader-election.enabled", "leader-election.fencing.jdbc.enabled",
					"leader-election.lease-duration", "leader-election.leader-only.enabled",
					"leader-election.leader-only.order", "leader-election.leader-only.scheduled-arguments",
					"leader-election.leader-only.self-invocation", "leader-election.node-id",
					"leader-election.renew-interval", "leader-election.safety-margin",
					"leader-election.transfer-grace");
	}

	private List<Map<String, Object>> properties() {
		return this.metadata.properties();
	}

	private List<Map<String, Object>> hints() {
		return this.metadata.hints();
	}

}
