plugins {
	id("java-module")
	id("repository-tests")
}

dependencies {
	testImplementation(project(":leader-election-dynamodb"))
	testImplementation(project(":leader-election-etcd"))
	testImplementation(project(":leader-election-jdbc"))
	testImplementation(project(":leader-election-kubernetes"))
	testImplementation(project(":leader-election-redis"))
	testImplementation(project(":leader-election-zookeeper"))
	testImplementation(project(":leader-election-servers"))
	testImplementation(project(":leader-election-spring-boot-starter"))
	testImplementation(libs.archunit)
	testImplementation("io.micrometer:micrometer-registry-prometheus")
	testImplementation("io.micrometer:context-propagation")
	testImplementation("io.projectreactor:reactor-core")
	testImplementation("org.springframework:spring-core-test")
	testImplementation("org.springframework.boot:spring-boot-docker-compose")
	testImplementation("org.springframework.boot:spring-boot-restclient")
	testImplementation("org.springframework.boot:spring-boot-starter-actuator")
	testImplementation("org.springframework.boot:spring-boot-starter-data-jpa")
	testImplementation("org.springframework.boot:spring-boot-starter-security")
	testImplementation("org.springframework.boot:spring-boot-starter-webflux")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc")
	testImplementation("org.springframework.boot:spring-boot-testcontainers")
	testImplementation("org.springframework.boot:spring-boot-webclient")
	testImplementation("org.springframework.integration:spring-integration-zookeeper")

	compileOnly("org.jspecify:jspecify")
}

tasks.test {
	// the names in the documentation are looked up there
	inputs.files(fileTree(rootDir) { include("*/src/**/*.java", "*/*/src/**/*.java") })
		.withPropertyName("sources")
		.withPathSensitivity(PathSensitivity.RELATIVE)
}
