package io.leaderelection.autoconfigure;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Selects the backend: the configured one, or else the only available one. There is no
 * order of preference, because two nodes that guess differently would both lead.
 *
 * @param configured the value of the property, normalized
 * @param backends the backends on the class path, except the local one, which is always
 * available and never guessed
 * @param check determines the availability of a backend, once
 */
record BackendChoice(Optional<String> configured, List<LeaderElectionBackend> backends,
		Function<LeaderElectionBackend, BackendAvailability> check) {

	static final String PROPERTY = LeaderElectionProperties.PREFIX + ".backend";

	static final String LOCAL = "local";

	static BackendChoice of(Environment environment, ConfigurableListableBeanFactory beanFactory) {
		Map<LeaderElectionBackend, BackendAvailability> known = new HashMap<>();
		return new BackendChoice(configured(environment), load(beanFactory.getBeanClassLoader()), (backend) -> known
			.computeIfAbsent(backend, (unknown) -> BackendAvailability.of(unknown, environment, beanFactory)));
	}

	static List<LeaderElectionBackend> load(@Nullable ClassLoader classLoader) {
		return SpringFactoriesLoader.forDefaultResourceLocation(classLoader).load(LeaderElectionBackend.class);
	}

	static Optional<String> configured(Environment environment) {
		return Optional.ofNullable(Binder.get(environment).bind(PROPERTY, String.class).orElse(null))
			.map(BackendChoice::normalize)
			.filter((name) -> !name.isEmpty());
	}

	/** As Spring Boot reads enumerations: regardless of case and punctuation. */
	private static String normalize(String name) {
		return name.codePoints()
			.filter(Character::isLetterOrDigit)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString()
			.toLowerCase(Locale.ROOT);
	}

	/**
	 * The name of the backend to use.
	 * @return the name; empty if it cannot be decided, or is not available
	 */
	Optional<String> selected() {
		if (this.configured.isPresent()) {
			return this.configured.filter((name) -> name.equals(LOCAL)
					|| availability(name).filter(BackendAvailability::available).isPresent());
		}
		List<BackendAvailability> available = available();
		return (available.size() == 1) ? Optional.of(available.get(0).backend()) : Optional.empty();
	}

	/**
	 * The availability of a backend.
	 * @param name its name
	 * @return the availability; empty if no such backend is on the class path
	 */
	Optional<BackendAvailability> availability(String name) {
		return this.backends.stream().filter((backend) -> backend.name().equals(name)).map(this.check).findFirst();
	}

	List<BackendAvailability> availabilities() {
		return this.backends.stream().map(this.check).toList();
	}

	List<BackendAvailability> available() {
		return availabilities().stream().filter(BackendAvailability::available).toList();
	}

}
