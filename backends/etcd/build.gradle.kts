plugins {
	`java-library`
}

java {
	withJavadocJar()
	withSourcesJar()
}

dependencies {
	annotationProcessor("org.springframework.boot:spring-boot-autoconfigure-processor:${property("spring-boot.version")}")
	annotationProcessor("org.springframework.boot:spring-boot-configuration-processor:${property("spring-boot.version")}")

	api(project(":leader-election-spring-boot-autoconfigure"))

	api("io.etcd:jetcd-core:${property("jetcd.version")}")

	compileOnly("org.springframework.boot:spring-boot-docker-compose")
	compileOnly("org.springframework.boot:spring-boot-testcontainers")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
}

tasks.test {
	maxParallelForks = 2
	jvmArgs(project.property("test-jvm").toString().split(" "))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.etcd")
}
