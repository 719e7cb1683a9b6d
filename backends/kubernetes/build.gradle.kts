plugins {
	`java-library`
}

java {
	withJavadocJar()
	withSourcesJar()
}

configurations.all {
	// needs another Vert.x than jetcd: one class path cannot have both
	exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
}

dependencies {
	annotationProcessor("org.springframework.boot:spring-boot-autoconfigure-processor:${property("spring-boot.version")}")
	annotationProcessor("org.springframework.boot:spring-boot-configuration-processor:${property("spring-boot.version")}")

	api(project(":leader-election-spring-boot-autoconfigure"))

	api("io.fabric8:kubernetes-client:${property("kubernetes-client.version")}")
	api("io.fabric8:kubernetes-httpclient-jdk:${property("kubernetes-client.version")}")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
	testImplementation("io.fabric8:kubernetes-server-mock:${property("kubernetes-client.version")}")
}

tasks.test {
	maxParallelForks = 2
	jvmArgs(project.property("test-jvm").toString().split(" "))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.kubernetes")
}
