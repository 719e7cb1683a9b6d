plugins {
	id("auto-configuration-module")
}

description = "Leases and a fence in ZooKeeper"

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))

	compileOnly("org.springframework.boot:spring-boot-docker-compose")
	compileOnly("org.springframework.boot:spring-boot-testcontainers")
	compileOnly("org.springframework.integration:spring-integration-zookeeper")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.zookeeper")
}
