package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Whether a backend can be used by this application.
 *
 * @param backend the name of the backend
 * @param available whether it can be used
 * @param reason what was found, or what is missing
 * @param remedy how to make it available
 */
record BackendAvailability(String backend, boolean available, String reason, String remedy) {

	static BackendAvailability of(LeaderElectionBackend backend, Environment environment,
			ConfigurableListableBeanFactory beanFactory) {
		Optional<String> missing = backend.requiredClasses()
			.stream()
			.filter((name) -> !ClassUtils.isPresent(name, beanFactory.getBeanClassLoader()))
			.findFirst();
		if (missing.isPresent()) {
			return new BackendAvailability(backend.name(), false,
					"%s is not on the class path".formatted(missing.get()),
					"Add the dependency %s.".formatted(backend.clientDependency()));
		}
		String property = backend.property();
		if (property != null && Binder.get(environment).bind(property, Bindable.listOf(String.class)).isBound()) {
			return available(backend, "the property " + property);
		}
		for (String type : backend.beanTypes()) {
			List<String> names = beanNames(beanFactory, type);
			if (!names.isEmpty()) {
				return available(backend,
						"the %s bean '%s'".formatted(ClassUtils.getShortName(type), String.join("', '", names)));
			}
		}
		Optional<String> detected = backend.detect(environment);
		if (detected.isPresent()) {
			return available(backend, detected.get());
		}
		return unavailable(backend);
	}

	private static BackendAvailability unavailable(LeaderElectionBackend backend) {
		String property = backend.property();
		if (backend.beanTypes().isEmpty()) {
			return new BackendAvailability(backend.name(), false, "%s is not set".formatted(property),
					"Set %s.".formatted(property));
		}
		String beanType = ClassUtils.getShortName(backend.beanTypes().get(0));
		return new BackendAvailability(backend.name(), false, "there is no %s bean".formatted(beanType),
				(property != null) ? "Define a %s bean, or set %s.".formatted(beanType, property)
						: "Define a %s bean.".formatted(beanType));
	}

	private static BackendAvailability available(LeaderElectionBackend backend, String reason) {
		return new BackendAvailability(backend.name(), true, reason, "");
	}

	private static List<String> beanNames(ConfigurableListableBeanFactory beanFactory, String type) {
		Class<?> resolved;
		try {
			resolved = ClassUtils.forName(type, beanFactory.getBeanClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return List.of();
		}
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, resolved, true, false))
			.filter((name) -> isCandidate(beanFactory, name))
			.toList();
	}

	private static boolean isCandidate(ConfigurableListableBeanFactory beanFactory, String name) {
		return !beanFactory.containsBeanDefinition(name) || beanFactory.getBeanDefinition(name).isAutowireCandidate();
	}

}
