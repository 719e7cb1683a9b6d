package io.leaderelection.build;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Who may know whom, as rules about the packages below a root.
 */
final class ModuleRules {

	private static final List<String> BACKENDS = List.of("redis", "jdbc", "etcd", "zookeeper", "dynamodb",
			"kubernetes");

	/** Those that leave it to a shared package how leases end without a clock. */
	private static final List<String> OBSERVING = List.of("dynamodb", "kubernetes");

	private ModuleRules() {
	}

	/**
	 * A backend is known to itself and to the auto-configuration.
	 */
	static Stream<ArchRule> onlyAutoConfigurationKnowsABackend(String root) {
		return BACKENDS.stream()
			.map((backend) -> noClasses().that()
				.resideInAPackage(root + "..")
				.and()
				.resideOutsideOfPackages(root + "." + backend + "..", root + ".autoconfigure..")
				.should()
				.dependOnClassesThat()
				.resideInAPackage(root + "." + backend + "..")
				.allowEmptyShould(true));
	}

	/**
	 * What backends without a clock share is known to them alone.
	 */
	static ArchRule onlyBackendsWithoutAClockKnowWhatTheyShare(String root) {
		return noClasses().that()
			.resideInAPackage(root + "..")
			.and()
			.resideOutsideOfPackages(Stream.concat(Stream.of("observed"), OBSERVING.stream())
				.map((name) -> root + "." + name + "..")
				.toArray(String[]::new))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(root + ".observed..")
			.allowEmptyShould(true);
	}

	/**
	 * What backends share knows nobody in this module.
	 */
	static ArchRule whatBackendsShareKnowsTheStoreOnly(String root) {
		return noClasses().that()
			.resideInAPackage(root + ".observed..")
			.should()
			.dependOnClassesThat(resideInAnyPackage(root + "..")
				.and(resideOutsideOfPackages(root + ".observed..", "io.leaderelection.store..", "io.leaderelection")))
			.allowEmptyShould(true);
	}

	/**
	 * The auto-configuration is known to itself alone.
	 */
	static ArchRule nobodyKnowsTheAutoConfiguration(String root) {
		return noClasses().that()
			.resideInAPackage(root + "..")
			.and()
			.resideOutsideOfPackage(root + ".autoconfigure..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage(root + ".autoconfigure..")
			.allowEmptyShould(true);
	}

	/**
	 * What stands between the Spring world and the engine is the API.
	 */
	static ArchRule nobodyReachesIntoTheEngine(String root) {
		return noClasses().that()
			.resideInAPackage(root + "..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.leaderelection.engine..");
	}

}
