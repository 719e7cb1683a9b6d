package io.leaderelection.build;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of who may know whom inside core, and of the clocks it may read.
 */
class WhoMayKnowWhomTests {

	private static final String API = "io.leaderelection";

	private static final String STORE = "io.leaderelection.store..";

	private static final String MEMORY = "io.leaderelection.store.memory..";

	private static final String OBSERVED = "io.leaderelection.store.observed..";

	private static final String ENGINE = "io.leaderelection.engine..";

	private static final JavaClasses CORE = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages(API);

	@Test
	void coreKnowsNobody() {
		classes().should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage("java..", "org.jspecify..", "io.leaderelection..")
			.check(CORE);
	}

	@Test
	void coreDoesNotKnowItsInMemoryStore() {
		noClasses().that()
			.resideOutsideOfPackage(MEMORY)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(MEMORY)
			.check(CORE);
	}

	@Test
	void coreDoesNotKnowItsObservedTimeStore() {
		noClasses().that()
			.resideOutsideOfPackage(OBSERVED)
			.should()
			.dependOnClassesThat()
			.resideInAPackage(OBSERVED)
			.check(CORE);
	}

	@Test
	void theApiReachesTheEngineOnlyThroughLeaderElections() {
		noClasses().that()
			.resideInAPackage(API)
			.and(DescribedPredicate.not(belongTo(name(API + ".LeaderElections"))))
			.should()
			.dependOnClassesThat()
			.resideInAPackage(ENGINE)
			.check(CORE);
	}

	@Test
	void aStoreDoesNotKnowTheEngine() {
		noClasses().that().resideInAPackage(STORE).should().dependOnClassesThat().resideInAPackage(ENGINE).check(CORE);
	}

	@Test
	void theEngineDoesNotKnowItsRuntime() {
		noClasses().that()
			.resideInAPackage("io.leaderelection.engine")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.leaderelection.engine.runtime..")
			.check(CORE);
	}

	@Test
	void everyPackageIsNullMarked() {
		List<String> unmarked = CORE.stream()
			.map(JavaClass::getPackage)
			.distinct()
			.filter((javaPackage) -> !javaPackage.isAnnotatedWith(NullMarked.class))
			.map(JavaPackage::getName)
			.toList();
		assertThat(CORE).isNotEmpty();
		assertThat(unmarked).as("packages without @NullMarked in package-info.java").isEmpty();
	}

	@Test
	void nobodySleeps() {
		noClasses().should()
			.accessTargetWhere(isMethod(Thread.class, "sleep").or(isMethod(TimeUnit.class, "sleep")))
			.check(CORE);
	}

	@Test
	void nobodyAsksInstantForTheTime() {
		noClasses().should().accessTargetWhere(isMethod(Instant.class, "now")).check(CORE);
	}

	@Test
	void onlySystemClockReadsTheWallClock() {
		noClasses().that()
			.doNotHaveFullyQualifiedName("io.leaderelection.engine.runtime.SystemClock")
			.should()
			.accessTargetWhere(isMethod(System.class, "currentTimeMillis"))
			.check(CORE);
	}

	/**
	 * Matches a call and a method reference alike.
	 */
	private static DescribedPredicate<JavaAccess<?>> isMethod(Class<?> owner, String method) {
		return DescribedPredicate.describe(owner.getSimpleName() + "." + method,
				(access) -> access.getTargetOwner().isEquivalentTo(owner) && access.getName().equals(method));
	}

}
