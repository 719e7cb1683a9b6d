plugins {
	id("published-module")
}

description = "The one dependency an application adds"

dependencies {
	api(project(":leader-election-jdbc"))
	api(project(":leader-election-redis"))
	api(project(":leader-election-spring-boot-autoconfigure"))
	api(project(":leader-election-zookeeper"))
	api("org.springframework.boot:spring-boot-starter")
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.starter")
}
