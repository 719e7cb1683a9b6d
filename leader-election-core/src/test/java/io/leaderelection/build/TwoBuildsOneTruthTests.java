package io.leaderelection.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Maven and the Gradle build say the same. Every disagreement that is planted into a
 * copy of the build files is found, so an empty report means something.
 */
class TwoBuildsOneTruthTests {

	private static final String MODULE = "leader-election-core";

	private static final String MODULE_POM = MODULE + "/pom.xml";

	private static final String MODULE_SCRIPT = MODULE + "/build.gradle.kts";

	private static final String BOM = "leader-election-bom";

	private static final String OF_ALL_MODULES = GradleBuild.CONVENTIONS + "/java-module.gradle";

	private static final String OF_PUBLISHED_MODULES = GradleBuild.CONVENTIONS + "/published-pom.gradle";

	private static final Path REPOSITORY = Build.rootAbove(Path.of(""));

	@TempDir
	private Path copy;

	@BeforeEach
	void copyTheBuildFiles() throws IOException {
		Set<String> files = new LinkedHashSet<>(List.of("pom.xml", "settings.gradle.kts", "build.gradle.kts",
				"gradle.properties", GradleBuild.CATALOG));
		try (Stream<Path> conventions = Files.list(REPOSITORY.resolve(GradleBuild.CONVENTIONS))) {
			conventions.forEach((file) -> files.add(REPOSITORY.relativize(file).toString()));
		}
		Stream.of(new MavenBuild(REPOSITORY), new GradleBuild(REPOSITORY))
			.flatMap((build) -> build.modules().stream().map(build::directory))
			.forEach((directory) -> files.addAll(List.of(directory + "/pom.xml", directory + "/build.gradle.kts")));
		for (String file : files) {
			if (Files.exists(REPOSITORY.resolve(file))) {
				Files.createDirectories(this.copy.resolve(file).getParent());
				Files.copy(REPOSITORY.resolve(file), this.copy.resolve(file));
			}
		}
	}

	@Test
	void theTwoBuildsAgree() {
		assertThat(disagreements(REPOSITORY)).isEmpty();
	}

	@Test
	void theTwoBuildsAreNotEmpty() {
		for (Build build : List.of(new MavenBuild(REPOSITORY), new GradleBuild(REPOSITORY))) {
			assertThat(build.modules()).as(build.name()).contains(MODULE, "leader-election-test", "benchmarks");
			assertThat(build.dependencies(MODULE)).as(build.name())
				.contains(new Build.Dependency("provided", "org.jspecify:jspecify", ""),
						new Build.Dependency("test", "com.tngtech.archunit:archunit", "archunit.version"));
			assertThat(build.dependencies("leader-election-redis")).as(build.name())
				.contains(new Build.Dependency("processor",
						"org.springframework.boot:spring-boot-configuration-processor", ""));
			assertThat(build.dependencies("leader-election-kubernetes")).as(build.name())
				.contains(new Build.Dependency("compile", "io.fabric8:kubernetes-client", "kubernetes-client.version",
						Set.of("io.fabric8:kubernetes-httpclient-vertx")));
			assertThat(build.dependencies(BOM)).as(build.name())
				.contains(new Build.Dependency("managed", "io.leaderelection:" + MODULE, ""));
			assertThat(build.dependencies(Build.ROOT)).as(build.name())
				.contains(new Build.Dependency("import", "org.springframework.boot:spring-boot-dependencies",
						"spring-boot.version"));
			assertThat(build.dependencies("benchmarks")).as(build.name())
				.contains(new Build.Dependency("compile", "io.leaderelection:leader-election-core", ""),
						new Build.Dependency("processor", "org.openjdk.jmh:jmh-generator-annprocess", "jmh.version"));
			assertThat(build.moduleName(MODULE)).as(build.name()).hasValue("io.leaderelection.core");
			assertThat(build.moduleName("benchmarks")).as(build.name()).isEmpty();
			assertThat(build.publication(MODULE)).as(build.name())
				.contains("name: " + MODULE, "licenses/license/name: Apache-2.0")
				.anyMatch((line) -> line.startsWith("scm/connection: scm:git:https://"));
			assertThat(build.publication("benchmarks")).as(build.name()).isEmpty();
			assertThat(build.versions()).as(build.name()).contains("java.version 17");
		}
	}

	@Test
	void aModuleThatOnlyMavenHasIsReported() throws IOException {
		Files.createDirectory(this.copy.resolve("ghost"));
		Files.copy(this.copy.resolve(MODULE_POM), this.copy.resolve("ghost/pom.xml"));
		plant("ghost/pom.xml", "<artifactId>" + MODULE + "<", "<artifactId>ghost<");
		plant("pom.xml", "</modules>", "<module>ghost</module></modules>");
		assertThat(disagreements(this.copy)).containsExactly("Only Maven has the module ghost",
				"leader-election-bom does not manage ghost");
	}

	@Test
	void aModuleThatOnlyGradleHasIsReported() throws IOException {
		plant("settings.gradle.kts", "module(\"sample-app\")", "module(\"ghost\")\nmodule(\"sample-app\")");
		assertThat(disagreements(this.copy)).containsExactly("Only Gradle has the module ghost");
	}

	@Test
	void aModuleInAnotherDirectoryIsReported() throws IOException {
		plant("settings.gradle.kts", "module(\"sample-app\")", "module(\"sample-app\", \"ghost\")");
		assertThat(disagreements(this.copy)).contains("Only Maven has for sample-app the directory sample-app",
				"Only Gradle has for sample-app the directory ghost");
	}

	@Test
	void aDependencyThatOnlyMavenHasIsReported() throws IOException {
		plantMavenDependency(MODULE_POM, "<scope>test</scope>");
		assertThat(disagreements(this.copy))
			.containsExactly("Only Maven has in " + MODULE + ": org.ghost:ghost (test)");
	}

	@Test
	void aDependencyThatOnlyGradleHasIsReported() throws IOException {
		plantGradleDependency(MODULE_SCRIPT, "runtimeOnly(\"org.ghost:ghost\")");
		assertThat(disagreements(this.copy))
			.containsExactly("Only Gradle has in " + MODULE + ": org.ghost:ghost (runtime)");
	}

	@Test
	void aDependencyOfAllModulesThatOnlyGradleHasIsReported() throws IOException {
		plantGradleDependency(OF_ALL_MODULES, "implementation(\"org.ghost:ghost\")");
		assertThat(disagreements(this.copy)).contains("Only Gradle has in " + MODULE + ": org.ghost:ghost (compile)",
				"Only Gradle has in sample-app: org.ghost:ghost (compile)");
	}

	@Test
	void anImportedBomThatOnlyGradleHasIsReported() throws IOException {
		plantGradleDependency(OF_ALL_MODULES,
				"dependencyManagement(enforcedPlatform(\"org.ghost:ghost:${managed('jmh')}\"))");
		assertThat(disagreements(this.copy))
			.containsExactly("Only Gradle has in .: org.ghost:ghost (import, jmh.version)");
	}

	@Test
	void anExclusionThatOnlyMavenHasIsReported() throws IOException {
		plant("backends/kubernetes/build.gradle.kts",
				"exclude(group = \"io.fabric8\", module = \"kubernetes-httpclient-vertx\")", "");
		assertThat(disagreements(this.copy)).containsExactly(
				"Only Maven has in leader-election-kubernetes: io.fabric8:kubernetes-client (compile, "
						+ "kubernetes-client.version, without [io.fabric8:kubernetes-httpclient-vertx])",
				"Only Gradle has in leader-election-kubernetes: io.fabric8:kubernetes-client (compile, "
						+ "kubernetes-client.version)");
	}

	@Test
	void aModuleThatOnlyOneBomManagesIsReported() throws IOException {
		plant(BOM + "/build.gradle.kts", "api(project(\":leader-election-redis\"))", "");
		assertThat(disagreements(this.copy))
			.containsExactly("Only Maven has in " + BOM + ": io.leaderelection:leader-election-redis (managed)");
	}

	@Test
	void aPublishedModuleThatNoBomManagesIsReported() throws IOException {
		plant(BOM + "/build.gradle.kts", "api(project(\":leader-election-redis\"))", "");
		plant(BOM + "/pom.xml", "<artifactId>leader-election-redis</artifactId>",
				"<artifactId>leader-election-jdbc</artifactId>");
		assertThat(disagreements(this.copy))
			.containsExactly("leader-election-bom does not manage leader-election-redis");
	}

	@Test
	void anAnnotationProcessorThatOnlyGradleHasIsReported() throws IOException {
		plantGradleDependency(MODULE_SCRIPT, "annotationProcessor(\"org.ghost:ghost\")");
		assertThat(disagreements(this.copy))
			.containsExactly("Only Gradle has in " + MODULE + ": org.ghost:ghost (processor)");
	}

	@Test
	void theSameDependencyInDifferentScopesIsReported() throws IOException {
		plantMavenDependency(MODULE_POM, "<optional>true</optional>");
		plantGradleDependency(MODULE_SCRIPT, "api(\"org.ghost:ghost\")");
		assertThat(disagreements(this.copy)).containsExactly(
				"Only Maven has in " + MODULE + ": org.ghost:ghost (provided)",
				"Only Gradle has in " + MODULE + ": org.ghost:ghost (compile)");
	}

	@Test
	void theSameDependencyWithDifferentVersionsIsReported() throws IOException {
		plantMavenDependency(MODULE_POM, "<version>${jmh.version}</version>");
		plant(GradleBuild.CATALOG, "[libraries]",
				"[libraries]\nghost = { module = \"org.ghost:ghost\", version.ref = \"archunit\" }");
		plantGradleDependency(MODULE_SCRIPT, "implementation(libs.ghost)");
		assertThat(disagreements(this.copy)).containsExactly(
				"Only Maven has in " + MODULE + ": org.ghost:ghost (compile, jmh.version)",
				"Only Gradle has in " + MODULE + ": org.ghost:ghost (compile, archunit.version)");
	}

	@ParameterizedTest
	@CsvSource({ "spring-boot, spring-boot.version", "jmh, jmh.version", "java, java.version" })
	void anotherVersionInTheCatalogIsReported(String name, String version) throws IOException {
		plant(GradleBuild.CATALOG, "\n" + name + " = \"", "\n" + name + " = \"9");
		assertThat(disagreements(this.copy)).hasSize(2)
			.anyMatch((it) -> it.startsWith("Only Maven has the version " + version))
			.anyMatch((it) -> it.startsWith("Only Gradle has the version " + version + " 9"));
	}

	@Test
	void aVersionThatOnlyMavenHasIsReported() throws IOException {
		plant("pom.xml", "<jmh.version>", "<ghost.version>7</ghost.version><jmh.version>");
		assertThat(disagreements(this.copy)).containsExactly("Only Maven has the version ghost.version 7");
	}

	@Test
	void anotherVersionOfTheProjectIsReported() throws IOException {
		plant("gradle.properties", "version = ", "version = 9.");
		assertThat(disagreements(this.copy))
			.anyMatch((it) -> it.startsWith("Only Gradle has for the POM of " + MODULE + " version: 9."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "url = 'https", "name = 'Apache", "organization = 'leader", "connection = 'scm",
			"distribution = 'repo" })
	void aPublishedPomThatSaysSomethingElseIsReported(String element) throws IOException {
		plant(OF_PUBLISHED_MODULES, element, element.replace("'", "'ghost"));
		assertThat(disagreements(this.copy)).anyMatch((it) -> it.startsWith("Only Maven has for the POM of " + MODULE))
			.anyMatch((it) -> it.startsWith("Only Gradle has for the POM of " + BOM) && it.contains(": ghost"));
	}

	@Test
	void anotherDescriptionIsReported() throws IOException {
		plant(MODULE_SCRIPT, "description = \"", "description = \"Ghost: ");
		assertThat(disagreements(this.copy)).hasSize(2)
			.anyMatch((it) -> it.startsWith("Only Gradle has for the POM of " + MODULE + " description: Ghost: "));
	}

	@Test
	void aModuleThatOnlyGradlePublishesIsReported() throws IOException {
		plant("internal/chaos/build.gradle.kts", "id(\"java-module\")", "id(\"published-module\")");
		assertThat(disagreements(this.copy))
			.contains("Only Gradle has for the POM of leader-election-chaos name: leader-election-chaos");
	}

	@Test
	void aModuleThatIsCalledOtherwiseOnTheModulePathIsReported() throws IOException {
		plant(MODULE_SCRIPT, "io.leaderelection.core", "io.leaderelection.ghost");
		assertThat(disagreements(this.copy)).containsExactly(
				"Only Maven has for " + MODULE + " the module name io.leaderelection.core",
				"Only Gradle has for " + MODULE + " the module name io.leaderelection.ghost");
	}

	@Test
	void aPublishedModuleThatHasNoNameOnTheModulePathIsReported() throws IOException {
		plant("internal/benchmarks/pom.xml", "<maven.deploy.skip>true</maven.deploy.skip>", "");
		assertThat(disagreements(this.copy)).contains(
				"internal/benchmarks/pom.xml publishes a jar without an Automatic-Module-Name",
				"internal/benchmarks/pom.xml is published: move it out of the profile \"unpublished\"");
	}

	@Test
	void aLiteralVersionInAGradleScriptIsReported() throws IOException {
		plantGradleDependency(MODULE_SCRIPT, "implementation(\"org.ghost:ghost:1.2.3\")");
		assertThat(disagreements(this.copy)).anyMatch((it) -> it.startsWith(MODULE_SCRIPT + " writes a version"));
	}

	@Test
	void aLiteralVersionInAModulePomIsReported() throws IOException {
		plantMavenDependency(MODULE_POM, "<version>7</version>");
		assertThat(disagreements(this.copy)).anyMatch((it) -> it.startsWith(MODULE_POM + " writes version 7"));
	}

	@Test
	void aVersionPropertyInAModulePomIsReported() throws IOException {
		plant(MODULE_POM, "<dependencies>",
				"<properties><ghost.version>1.2</ghost.version></properties><dependencies>");
		assertThat(disagreements(this.copy)).singleElement()
			.asString()
			.startsWith(MODULE_POM + " writes version 1.2 in <ghost.version>");
	}

	@Test
	void aLiteralVersionOutsideThePropertiesOfTheParentPomIsReported() throws IOException {
		plant("pom.xml", "${flatten-maven-plugin.version}", "9.9.9");
		assertThat(disagreements(this.copy)).singleElement().asString().startsWith("./pom.xml writes version 9.9.9");
	}

	@Test
	void aModuleOfAnotherParentVersionIsReported() throws IOException {
		plant(MODULE_POM, "</version>", "-stale</version>");
		assertThat(disagreements(this.copy)).singleElement().asString().startsWith(MODULE_POM + " has version");
	}

	@Test
	void aDependencyThatCannotBeReadIsReported() throws IOException {
		plantGradleDependency(MODULE_SCRIPT, "implementation(ghost())");
		assertThat(disagreements(this.copy))
			.containsExactly(MODULE_SCRIPT + " has a dependency that cannot be compared: implementation(ghost())");
	}

	private static List<String> disagreements(Path root) {
		MavenBuild maven = new MavenBuild(root);
		GradleBuild gradle = new GradleBuild(root);
		List<String> found = new ArrayList<>();
		onlyInOne(maven, maven.modules(), gradle, gradle.modules(), "the module", found);
		onlyInOne(maven, maven.versions(), gradle, gradle.versions(), "the version", found);
		Set<String> shared = new LinkedHashSet<>(List.of(Build.ROOT));
		maven.modules().stream().filter(gradle.modules()::contains).forEach(shared::add);
		for (String module : shared) {
			onlyInOne(maven, Set.of(maven.directory(module)), gradle, Set.of(gradle.directory(module)),
					"for " + module + " the directory", found);
			onlyInOne(maven, maven.dependencies(module), gradle, gradle.dependencies(module), "in " + module + ":",
					found);
			onlyInOne(maven, asSet(maven.moduleName(module)), gradle, asSet(gradle.moduleName(module)),
					"for " + module + " the module name", found);
			onlyInOne(maven, maven.publication(module), gradle, gradle.publication(module), "for the POM of " + module,
					found);
		}
		found.addAll(maven.offences());
		found.addAll(gradle.offences());
		return found;
	}

	private static Set<String> asSet(Optional<String> name) {
		return name.map(Set::of).orElse(Set.of());
	}

	private static <T> void onlyInOne(Build one, Set<T> ofOne, Build other, Set<T> ofOther, String what,
			List<String> found) {
		ofOne.stream()
			.filter((it) -> !ofOther.contains(it))
			.forEach((it) -> found.add("Only " + one.name() + " has " + what + " " + it));
		ofOther.stream()
			.filter((it) -> !ofOne.contains(it))
			.forEach((it) -> found.add("Only " + other.name() + " has " + what + " " + it));
	}

	private void plantMavenDependency(String pom, String rest) throws IOException {
		String dependency = "<dependency><groupId>org.ghost</groupId><artifactId>ghost</artifactId>" + rest
				+ "</dependency>";
		plant(pom, "</dependencies>", dependency + "</dependencies>");
	}

	private void plantGradleDependency(String script, String line) throws IOException {
		plant(script, "dependencies {", "dependencies {\n" + line);
	}

	private void plant(String file, String here, String instead) throws IOException {
		Path path = this.copy.resolve(file);
		String before = Files.readString(path);
		assertThat(before).as(file).contains(here);
		int at = before.indexOf(here);
		Files.writeString(path, before.substring(0, at) + instead + before.substring(at + here.length()));
	}

}
