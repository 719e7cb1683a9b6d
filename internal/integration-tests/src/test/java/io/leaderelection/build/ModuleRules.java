package io.leaderelection.build;

import java.util.List;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;

import org.springframework.boot.autoconfigure.AutoConfiguration;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Who may know whom, as rules about the packages below a root.
 */
final class ModuleRules {

	private static final List<String> BACKENDS = List.of("redis", "jdbc", "etcd", "zookeeper", "dynamodb",
			"kubernetes");

	private ModuleRules() {
	}

	/**
	 * A backend is known to itself alone.
	 */
	static Stream<ArchRule> nobodyKnowsABackend(String root) {
		return BACKENDS.stream()
			.map((backend) -> noClasses().that()
				.resideInAPackage(root + "..")
				.and()
				.resideOutsideOfPackage(root + "." + backend + "..")
				.should()
				.dependOnClassesThat()
				.resideInAPackage(root + "." + backend + "..")
				.allowEmptyShould(true));
	}

	/**
	 * The auto-configuration is known to the backends, which register with it, and to
	 * other auto-configurations, which are ordered after it.
	 */
	static ArchRule onlyBackendsKnowTheAutoConfiguration(String root) {
		String[] allowed = Stream.concat(Stream.of("autoconfigure"), BACKENDS.stream())
			.map((name) -> root + "." + name + "..")
			.toArray(String[]::new);
		return noClasses().that()
			.resideInAPackage(root + "..")
			.and()
			.resideOutsideOfPackages(allowed)
			.and(DescribedPredicate.describe("belong to no auto-configuration",
					(type) -> !isPartOfAutoConfiguration(type)))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(root + ".autoconfigure..")
			.allowEmptyShould(true);
	}

	private static boolean isPartOfAutoConfiguration(JavaClass type) {
		return type.isAnnotatedWith(AutoConfiguration.class)
				|| type.getEnclosingClass().filter(ModuleRules::isPartOfAutoConfiguration).isPresent();
	}

	/**
	 * The store of a relational database uses its parts, which do not know it.
	 */
	static ArchRule partsOfTheJdbcBackendDependInOneDirection(String root) {
		return CompositeArchRule
			.of(noClasses().that()
				.resideInAPackage(root + ".jdbc.*..")
				.should()
				.dependOnClassesThat()
				.resideInAPackage(root + ".jdbc"))
			.and(slices().matching(root + ".jdbc.(*)..").should().beFreeOfCycles());
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
