package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * There is no store for the leases: no backend is available, or several are, or the
 * configured one is not.
 */
class UndecidedBackendException extends ConfigurationProblemException {

	private static final long serialVersionUID = 1L;

	/**
	 * Those that are published with this project, of which an application may lack one.
	 */
	private static final Set<String> MODULES = Set.of("dynamodb", "etcd", "jdbc", "kubernetes", "redis", "zookeeper");

	private UndecidedBackendException(String description, String action) {
		super(description, action);
	}

	static UndecidedBackendException of(BackendChoice choice) {
		if (choice.selected().isPresent()) {
			return definedTooLate(choice, choice.selected().get());
		}
		if (choice.configured().isPresent()) {
			String configured = choice.configured().get();
			return choice.availability(configured)
				.map(UndecidedBackendException::unavailable)
				.orElseGet(() -> missingModule(choice, configured));
		}
		return choice.available().isEmpty() ? none(choice) : several(choice);
	}

	private static UndecidedBackendException definedTooLate(BackendChoice choice, String selected) {
		return new UndecidedBackendException(
				"The backend of leader election would be %s, but %s was defined too late to be seen.".formatted(
						selected,
						choice.availability(selected)
							.map(BackendAvailability::reason)
							.orElse("its auto-configuration")),
				"Define it in a configuration of the application, or in an auto-configuration with "
						+ "@AutoConfiguration(before = LeaderElectionAutoConfiguration.class).");
	}

	private static UndecidedBackendException unavailable(BackendAvailability configured) {
		return new UndecidedBackendException(
				"%s is %s, but %s.".formatted(BackendChoice.PROPERTY, configured.backend(), configured.reason()),
				"%s Or change %s.".formatted(configured.remedy(), BackendChoice.PROPERTY));
	}

	private static UndecidedBackendException missingModule(BackendChoice choice, String configured) {
		Set<String> known = new TreeSet<>(Set.of(BackendChoice.LOCAL));
		choice.backends().forEach((backend) -> known.add(backend.name()));
		String change = "%s %s to one of: %s.".formatted(MODULES.contains(configured) ? "Or change" : "Change",
				BackendChoice.PROPERTY, String.join(", ", known));
		return new UndecidedBackendException(
				"%s is %s, but no backend of this name is on the class path.".formatted(BackendChoice.PROPERTY,
						configured),
				MODULES.contains(configured)
						? "Add the dependency io.leaderelection:leader-election-%s. %s".formatted(configured, change)
						: change);
	}

	private static UndecidedBackendException none(BackendChoice choice) {
		Set<String> others = new TreeSet<>(MODULES);
		choice.backends().forEach((backend) -> others.remove(backend.name()));
		String more = others.stream()
			.map("\t- %1$s: Add the dependency io.leaderelection:leader-election-%1$s.%n"::formatted)
			.collect(Collectors.joining());
		return new UndecidedBackendException(
				"Leader election has no backend, since none is possible:%n%n%s"
					.formatted(list(choice.availabilities())),
				("Make one of them possible:%n%n%s%n%s%nOr define a LeaseStore bean. For development on one machine, "
						+ "add this line, with which every instance leads:%n%n\t%s=local%n%n"
						+ "To start without leader election, add:%n%n\t%s.enabled=false")
					.formatted(remedies(choice.availabilities()), more, BackendChoice.PROPERTY,
							LeaderElectionProperties.PREFIX));
	}

	private static UndecidedBackendException several(BackendChoice choice) {
		return new UndecidedBackendException(
				"Leader election has no backend, since several are possible and nodes must not guess:%n%n%s"
					.formatted(list(choice.available())),
				"Say which one it is, on all nodes, by one of these lines:%n%n%s".formatted(choice.available()
					.stream()
					.map((availability) -> "\t%s=%s".formatted(BackendChoice.PROPERTY, availability.backend()))
					.collect(Collectors.joining(System.lineSeparator()))));
	}

	private static String list(List<BackendAvailability> availabilities) {
		return availabilities.stream()
			.map((availability) -> "\t- %s: %s".formatted(availability.backend(), availability.reason()))
			.collect(Collectors.joining(System.lineSeparator()));
	}

	private static String remedies(List<BackendAvailability> availabilities) {
		return availabilities.stream()
			.map((availability) -> "\t- %s: %s".formatted(availability.backend(), availability.remedy()))
			.collect(Collectors.joining(System.lineSeparator()));
	}

}
