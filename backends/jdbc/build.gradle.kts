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

	compileOnly("org.postgresql:postgresql")
	compileOnly("org.springframework.boot:spring-boot-jdbc")
	compileOnly("org.springframework.boot:spring-boot-transaction")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
	testImplementation("org.springframework.boot:spring-boot-starter-actuator")
	testImplementation("org.springframework.boot:spring-boot-starter-data-jpa")
}

tasks.test {
	maxParallelForks = 4
	jvmArgs(project.property("test-jvm").toString().split(" "))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.jdbc")
}
