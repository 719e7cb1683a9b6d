package io.leaderelection.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

import io.leaderelection.autoconfigure.LeaderElectionProperties.Backend;
import io.leaderelection.autoconfigure.PossibleBackend.Finding;

/**
 * There is no store for the elections: no backend is possible, or several are, or the one
 * that is configured is not, or the only possible one would elect everybody.
 */
class UndecidedBackendException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String action;

	private UndecidedBackendException(String description, String action) {
		super(description);
		this.action = action;
	}

	static UndecidedBackendException of(BackendChoice choice) {
		if (choice.chosen().isPresent()) {
			return foundTooLate(choice, choice.chosen().get());
		}
		if (choice.configured().isPresent()) {
			return impossible(choice.finding(choice.configured().get()));
		}
		return choice.possible().isEmpty() ? none(choice) : several(choice);
	}

	private static UndecidedBackendException foundTooLate(BackendChoice choice, Backend chosen) {
		return new UndecidedBackendException(
				"The backend of leader election would be %s, but %s was defined too late to be seen."
					.formatted(BackendChoice.nameOf(chosen), choice.finding(chosen).reason()),
				"Define it in a configuration of the application, or in an auto-configuration with "
						+ "@AutoConfiguration(before = LeaderElectionAutoConfiguration.class).");
	}

	private static UndecidedBackendException impossible(Finding configured) {
		return new UndecidedBackendException(
				"%s is %s, but %s.".formatted(BackendChoice.PROPERTY, BackendChoice.nameOf(configured.backend()),
						configured.reason()),
				"%s Or change %s.".formatted(configured.remedy(), BackendChoice.PROPERTY));
	}

	private static UndecidedBackendException none(BackendChoice choice) {
		return new UndecidedBackendException(
				"Leader election has no backend, since none is possible:%n%n%s".formatted(list(choice.findings())),
				("Make one of them possible:%n%n%s%n%nOr define a LeaseStore bean. For development on one machine, "
						+ "add this line, with which every instance leads:%n%n\t%s=local%n%n"
						+ "To start without leader election, add:%n%n\t%s.enabled=false")
					.formatted(remedies(choice.findings()), BackendChoice.PROPERTY, LeaderElectionProperties.PREFIX));
	}

	private static UndecidedBackendException several(BackendChoice choice) {
		return new UndecidedBackendException(
				"Leader election has no backend, since several are possible and nodes must not guess:%n%n%s"
					.formatted(list(choice.possible())),
				"Say which one it is, on all nodes, by one of these lines:%n%n%s".formatted(choice.possible()
					.stream()
					.map((finding) -> "\t%s=%s".formatted(BackendChoice.PROPERTY,
							BackendChoice.nameOf(finding.backend())))
					.collect(Collectors.joining(System.lineSeparator()))));
	}

	/**
	 * The only possible backend would be one in which every instance leads.
	 * @param url the database
	 * @param jdbc what was found
	 * @return the exception
	 */
	static UndecidedBackendException privateDatabase(String url, Finding jdbc) {
		return new UndecidedBackendException(
				("Leader election has no backend: the only possible one is jdbc (%s), and its database %s is in the "
						+ "memory of this application alone, so that every instance would lead.")
					.formatted(jdbc.reason(), url),
				("Use a database that all instances reach. For development and tests, where every instance may lead, "
						+ "add one of these lines:%n%n\t%s=jdbc%n\t%s=local%n%n"
						+ "To start without leader election, add:%n%n\t%s.enabled=false")
					.formatted(BackendChoice.PROPERTY, BackendChoice.PROPERTY, LeaderElectionProperties.PREFIX));
	}

	private static String list(List<Finding> findings) {
		return findings.stream()
			.map((finding) -> "\t- %s: %s".formatted(BackendChoice.nameOf(finding.backend()), finding.reason()))
			.collect(Collectors.joining(System.lineSeparator()));
	}

	private static String remedies(List<Finding> findings) {
		return findings.stream()
			.map((finding) -> "\t- %s: %s".formatted(BackendChoice.nameOf(finding.backend()), finding.remedy()))
			.collect(Collectors.joining(System.lineSeparator()));
	}

	String getAction() {
		return this.action;
	}

}
