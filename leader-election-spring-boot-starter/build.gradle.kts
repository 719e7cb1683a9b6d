plugins {
	`java-library`
}

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))
	api("org.springframework.boot:spring-boot-starter")
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.starter")
}
