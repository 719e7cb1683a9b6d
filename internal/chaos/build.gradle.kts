plugins {
	id("java-module")
}

dependencies {
	testImplementation(project(":leader-election-jdbc"))
	testImplementation(project(":leader-election-redis"))
	testImplementation(project(":leader-election-zookeeper"))
	testImplementation(project(":leader-election-servers"))
	testImplementation("org.springframework.integration:spring-integration-zookeeper")

	compileOnly("org.jspecify:jspecify")
}

tasks.withType<Test>().configureEach {
	systemProperty("chaos.directory", "build/chaos")
}

// the same as the profile in pom.xml
tasks.register<Test>("chaos") {
	group = "verification"
	description = "Hours of chaos on every store; -Pchaos.duration=3m and others as in CONTRIBUTING.md."
	testClassesDirs = sourceSets["test"].output.classesDirs
	classpath = sourceSets["test"].runtimeClasspath
	useJUnitPlatform { excludeTags.clear() }
	filter.includeTestsMatching("*.ChaosTests")
	outputs.upToDateWhen { false }
	systemProperty("junit.jupiter.execution.timeout.default", "1 d")
	systemProperty("chaos.backends", "all")
	systemProperty("chaos.duration", "30m")
	systemProperty("chaos.nodes", "5")
	systemProperty("chaos.seed", "1")
	systemProperty("chaos.evidence", rootDir.resolve("docs/evidence.md").path)
	systemProperties(providers.gradlePropertiesPrefixedBy("chaos.").get())
}
