plugins {
	java
}

dependencies {
	compileOnly("org.jspecify:jspecify")

	annotationProcessor("org.openjdk.jmh:jmh-generator-annprocess:${property("jmh.version")}")

	implementation(project(":leader-election-core"))
	implementation(project(":leader-election-spring-boot-autoconfigure"))
	implementation("org.openjdk.jmh:jmh-core:${property("jmh.version")}")
}

tasks.register<JavaExec>("jmh") {
	group = "verification"
	description = "Runs the benchmarks; pass JMH's own options with --args."
	classpath = sourceSets["main"].runtimeClasspath
	mainClass.set("org.openjdk.jmh.Main")
}
