plugins {
	id("auto-configuration-module")
	id("repository-tests")
}

description = "Auto-configuration for Spring Boot"

dependencies {
	api(project(":leader-election-core"))
	api("org.springframework.boot:spring-boot-autoconfigure")

	compileOnly("com.fasterxml.jackson.core:jackson-annotations")
	compileOnly("io.micrometer:context-propagation")
	compileOnly("io.micrometer:micrometer-core")
	compileOnly("io.projectreactor:reactor-core")
	compileOnly("jakarta.servlet:jakarta.servlet-api")
	compileOnly("org.springframework.boot:spring-boot-actuator-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework.boot:spring-boot-micrometer-metrics")
	compileOnly("org.springframework.boot:spring-boot-micrometer-observation")
	compileOnly("org.springframework.boot:spring-boot-restclient")
	compileOnly("org.springframework.boot:spring-boot-webclient")
	compileOnly("org.springframework.boot:spring-boot-webflux")
	compileOnly("org.springframework.boot:spring-boot-webmvc")
	compileOnly("org.springframework.integration:spring-integration-core")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
	testImplementation("io.micrometer:micrometer-registry-prometheus")
	testImplementation("org.aspectj:aspectjweaver")
	testImplementation("org.crac:crac")
	testImplementation("org.springframework:spring-core-test")
	testImplementation("org.springframework.boot:spring-boot-starter-security")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testImplementation("org.springframework.boot:spring-boot-starter-webflux")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc")
}

tasks.test {
	maxParallelForks = 4
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.autoconfigure")
}
