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

	api("software.amazon.awssdk:dynamodb:${property("awssdk.version")}")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
}

tasks.test {
	maxParallelForks = 2
	jvmArgs(project.property("test-jvm").toString().split(" "))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.dynamodb")
}
