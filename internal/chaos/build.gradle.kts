plugins {
	`java-library`
}

dependencies {
	testImplementation(project(":leader-election-jdbc"))
	testImplementation(project(":leader-election-redis"))
	testImplementation(project(":leader-election-zookeeper"))
	testImplementation(project(":leader-election-servers"))
	testImplementation("org.springframework.integration:spring-integration-zookeeper")

	compileOnly("org.jspecify:jspecify")
}

tasks.test {
	maxParallelForks = 2
	jvmArgs(project.property("test-jvm").toString().split(" "))
}

tasks.register<Test>("chaos") {
	group = "verification"
	description = "Hours of chaos on every store."
	testClassesDirs = sourceSets["test"].output.classesDirs
	classpath = sourceSets["test"].runtimeClasspath
	filter.includeTestsMatching("*.ChaosTests")
	outputs.upToDateWhen { false }
	mapOf(
		"chaos.backends" to "all",
		"chaos.duration" to "30m",
		"chaos.nodes" to "5",
		"chaos.seed" to "1",
		"chaos.evidence" to rootDir.resolve("docs/evidence.md").path,
	).forEach { (name, value) -> systemProperty(name, providers.gradleProperty(name).getOrElse(value)) }
}
