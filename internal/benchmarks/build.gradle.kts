plugins {
	id("java-module")
}

dependencies {
	annotationProcessor(libs.jmh.processor)

	implementation(project(":leader-election-core"))
	implementation(project(":leader-election-jdbc"))
	implementation(project(":leader-election-redis"))
	implementation(project(":leader-election-spring-boot-autoconfigure"))
	implementation(project(":leader-election-zookeeper"))
	implementation(libs.kubernetes.client)
	implementation(libs.kubernetes.mock)
	implementation("io.lettuce:lettuce-core")
	implementation("io.micrometer:micrometer-registry-prometheus")
	implementation(libs.postgres.embedded)
	implementation(libs.postgres.binaries)
	implementation(libs.shedlock.jdbc)
	implementation(libs.shedlock.redis)
	implementation(libs.curator.recipes)
	implementation(libs.curator.test)
	implementation("org.jspecify:jspecify")
	implementation(libs.jmh.core)
	implementation("org.postgresql:postgresql")
	implementation(libs.redisson)
	implementation(libs.embedded.redis)
	implementation("org.springframework.boot:spring-boot-starter-data-redis")
	implementation("org.springframework.boot:spring-boot-starter-jdbc")
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	implementation("org.springframework.integration:spring-integration-jdbc")
	implementation("org.springframework.integration:spring-integration-redis")
	implementation("org.springframework.integration:spring-integration-zookeeper")

	testImplementation("org.springframework.boot:spring-boot-starter-test")
}

tasks.register<JavaExec>("jmh") {
	group = "verification"
	description = "Runs the benchmarks; pass JMH's own options with --args."
	classpath = sourceSets["main"].runtimeClasspath
	mainClass.set("org.openjdk.jmh.Main")
}

tasks.register<JavaExec>("peers") {
	group = "verification"
	description = "Compares with the peers; pass options with --args, --help lists them."
	classpath = sourceSets["main"].runtimeClasspath
	mainClass.set("io.leaderelection.benchmarks.peers.Peers")
	workingDir = rootDir
}
