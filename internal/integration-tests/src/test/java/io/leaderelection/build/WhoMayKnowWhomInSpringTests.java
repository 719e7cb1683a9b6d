package io.leaderelection.build;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.dynamodb.DynamoDbFence;
import io.leaderelection.etcd.EtcdFence;
import io.leaderelection.jdbc.JdbcFence;
import io.leaderelection.kubernetes.KubernetesLeaseStore;
import io.leaderelection.redis.RedisFence;
import io.leaderelection.zookeeper.ZooKeeperFence;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of who may know whom among the packages of the auto-configuration and the
 * backends. Packages that do not exist yet break no rule; those in {@code broken}, which
 * are made to, are found out.
 */
class WhoMayKnowWhomInSpringTests {

	private static final String ROOT = "io.leaderelection";

	private static final String BROKEN = ROOT + ".build.broken";

	private static final JavaClasses MODULE = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importUrls(Stream
			.of(LeaderElectionAutoConfiguration.class, DynamoDbFence.class, EtcdFence.class, JdbcFence.class,
					KubernetesLeaseStore.class, RedisFence.class, ZooKeeperFence.class)
			.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
			.toList());

	private static final JavaClasses BROKEN_CLASSES = new ClassFileImporter().importPackages(BROKEN);

	@Test
	void nobodyKnowsABackend() {
		ModuleRules.nobodyKnowsABackend(ROOT).forEach((rule) -> rule.check(MODULE));
	}

	@Test
	void onlyBackendsKnowTheAutoConfiguration() {
		ModuleRules.onlyBackendsKnowTheAutoConfiguration(ROOT).check(MODULE);
	}

	@Test
	void partsOfTheJdbcBackendDependInOneDirection() {
		ModuleRules.partsOfTheJdbcBackendDependInOneDirection(ROOT).check(MODULE);
	}

	@Test
	void aPartOfTheJdbcBackendThatKnowsTheStoreIsFoundOut() {
		assertThat(violations(List.of(ModuleRules.partsOfTheJdbcBackendDependInOneDirection(BROKEN))))
			.anyMatch((violation) -> violation.contains("broken.jdbc.session.KnowsTheStore"));
	}

	@Test
	void nobodyReachesIntoTheEngine() {
		ModuleRules.nobodyReachesIntoTheEngine(ROOT).check(MODULE);
	}

	@Test
	void aBackendThatKnowsAnotherIsFoundOut() {
		assertThat(violations(ModuleRules.nobodyKnowsABackend(BROKEN).toList()))
			.anyMatch((violation) -> violation.contains("broken.jdbc.KnowsRedis"))
			.anyMatch((violation) -> violation.contains("broken.annotation.KnowsRedis"))
			.anyMatch((violation) -> violation.contains("broken.autoconfigure.KnowsAll"));
	}

	@Test
	void whatKnowsTheAutoConfigurationAndIsNoBackendIsFoundOut() {
		assertThat(violations(List.of(ModuleRules.onlyBackendsKnowTheAutoConfiguration(BROKEN)))).isNotEmpty()
			.allMatch((violation) -> violation.contains("broken.annotation.KnowsAutoConfiguration"));
	}

	@Test
	void everyPackageIsNullMarked() {
		List<String> unmarked = MODULE.stream()
			.map(JavaClass::getPackage)
			.distinct()
			.filter((javaPackage) -> !javaPackage.isAnnotatedWith(NullMarked.class))
			.map(JavaPackage::getName)
			.toList();
		assertThat(MODULE).isNotEmpty();
		assertThat(unmarked).as("packages without @NullMarked in package-info.java").isEmpty();
	}

	@Test
	void nobodySleeps() {
		noClasses().should().callMethod(Thread.class, "sleep", long.class).check(MODULE);
		noClasses().should().callMethod(TimeUnit.class, "sleep", long.class).check(MODULE);
	}

	private static List<String> violations(List<ArchRule> rules) {
		return rules.stream()
			.flatMap((rule) -> rule.evaluate(BROKEN_CLASSES).getFailureReport().getDetails().stream())
			.toList();
	}

}
