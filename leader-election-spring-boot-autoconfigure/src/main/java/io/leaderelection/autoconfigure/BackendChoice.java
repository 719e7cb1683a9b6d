package io.leaderelection.autoconfigure;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;
import io.leaderelection.autoconfigure.PossibleBackend.Finding;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Which backend to use: the one that is configured, or else the only possible one. There
 * is no order of preference, since two nodes that guess differently are two leaders.
 *
 * @param configured the backend that the property names
 * @param look finds out about a backend, and only once. The local one is always possible
 * and never guessed
 */
record BackendChoice(Optional<Backend> configured, Function<PossibleBackend, Finding> look) {

	static final String PROPERTY = LeaderElectionProperties.PREFIX + ".backend";

	static BackendChoice of(Environment environment, ConfigurableListableBeanFactory beanFactory) {
		Map<PossibleBackend, Finding> known = new EnumMap<>(PossibleBackend.class);
		return new BackendChoice(configured(environment),
				(backend) -> known.computeIfAbsent(backend, (unknown) -> unknown.look(environment, beanFactory)));
	}

	static Optional<Backend> configured(Environment environment) {
		return Optional.ofNullable(Binder.get(environment).bind(PROPERTY, Backend.class).orElse(null));
	}

	/**
	 * The backend to use.
	 * @return the backend; empty if it cannot be decided, or is not possible
	 */
	Optional<Backend> chosen() {
		if (this.configured.isPresent()) {
			return this.configured.filter(this::isPossible);
		}
		List<Finding> possible = possible();
		return (possible.size() == 1) ? Optional.of(possible.get(0).backend()) : Optional.empty();
	}

	private boolean isPossible(Backend backend) {
		return backend == Backend.LOCAL || finding(backend).possible();
	}

	Finding finding(Backend backend) {
		return this.look.apply(PossibleBackend.of(backend).orElseThrow());
	}

	List<Finding> findings() {
		return Arrays.stream(PossibleBackend.values()).map(this.look).toList();
	}

	List<Finding> possible() {
		return findings().stream().filter(Finding::possible).toList();
	}

	/**
	 * A backend as one writes it in the property.
	 * @param backend the backend
	 * @return its name
	 */
	static String nameOf(Backend backend) {
		return backend.name().toLowerCase(Locale.ROOT);
	}

}
