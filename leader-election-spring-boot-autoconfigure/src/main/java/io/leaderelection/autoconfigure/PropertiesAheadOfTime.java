package io.leaderelection.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * The properties that decide which beans there are, and so cannot be changed any more
 * once an application was processed ahead of time. One that says something else where the
 * application runs is refused: a node that takes no notice of it might be a second
 * leader.
 */
final class PropertiesAheadOfTime {

	/** Each with what it is when it is not set. */
	private static final Map<String, Boolean> SWITCHES = switches();

	private PropertiesAheadOfTime() {
	}

	private static Map<String, Boolean> switches() {
		Map<String, Boolean> switches = new LinkedHashMap<>();
		switches.put("leader-election.enabled", true);
		switches.put("leader-election.leader-only.enabled", true);
		switches.put("leader-election.fencing.jdbc.enabled", true);
		switches.put("leader-election.integration.enabled", true);
		switches.put("leader-election.stand-only-when-ready", true);
		switches.put("leader-election.step-down-when-unhealthy", false);
		return switches;
	}

	/**
	 * What the properties come to while an application is processed.
	 * @param environment where they are
	 * @param beanFactory the beans that were made of them
	 * @return names and values
	 */
	static Map<String, String> decided(Environment environment, ConfigurableListableBeanFactory beanFactory) {
		Map<String, String> decided = new LinkedHashMap<>();
		backend(beanFactory).ifPresent((backend) -> decided.put(BackendChoice.PROPERTY, backend));
		SWITCHES.forEach((name, otherwise) -> decided.put(name,
				String.valueOf(environment.getProperty(name, Boolean.class, otherwise))));
		return decided;
	}

	/** Not the store: an application may have one of its own. */
	private static Optional<String> backend(ConfigurableListableBeanFactory beanFactory) {
		for (String configuration : beanFactory.getBeanNamesForAnnotation(ConditionalOnBackend.class)) {
			ConditionalOnBackend condition = beanFactory.findAnnotationOnBean(configuration,
					ConditionalOnBackend.class);
			if (condition != null) {
				return Optional.of(condition.value());
			}
		}
		return Optional.empty();
	}

	/**
	 * Called by what is generated, before anything else is done.
	 * @param environment where the application runs
	 * @param decided names and values, in turn, as they were when it was processed
	 * @throws ConfigurationProblemException if one of them is another one now
	 */
	static void require(Environment environment, String... decided) {
		for (int i = 0; i < decided.length; i += 2) {
			String name = decided[i];
			String now = name.equals(BackendChoice.PROPERTY) ? backendNow(environment, decided[i + 1])
					: String.valueOf(environment.getProperty(name, Boolean.class, SWITCHES.getOrDefault(name, false)));
			if (!decided[i + 1].equals(now)) {
				throw changed(name, decided[i + 1], now);
			}
		}
	}

	private static ConfigurationProblemException changed(String property, String before, @Nullable String now) {
		return new ConfigurationProblemException(
				("%s is %s, but was '%s' when the application was processed ahead of time, which cannot be changed any "
						+ "more.")
					.formatted(property, (now != null) ? "'" + now + "'" : "not set", before),
				("Set %1$s=%2$s, or build the application again with %3$s. Or run it without "
						+ "-Dspring.aot.enabled=true.")
					.formatted(property, before, (now != null) ? property + "=" + now
							: "the %s that it is to run with".formatted(property)));
	}

	/** One that was guessed may be guessed again; that of one process never is. */
	private static @Nullable String backendNow(Environment environment, String decided) {
		return BackendChoice.configured(environment).orElse(decided.equals(BackendChoice.LOCAL) ? null : decided);
	}

}
