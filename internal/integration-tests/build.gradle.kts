plugins {
	`java-library`
}

configurations.all {
	// needs another Vert.x than jetcd: one class path cannot have both
	exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
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
	testImplementation("com.tngtech.archunit:archunit:${property("archunit.version")}")
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
	maxParallelForks = 2
	jvmArgs(project.property("test-jvm").toString().split(" "))
}
