plugins {
	id("auto-configuration-module")
}

description = "Leases and a fence in etcd"

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))

	api(libs.jetcd)

	compileOnly("org.springframework.boot:spring-boot-docker-compose")
	compileOnly("org.springframework.boot:spring-boot-testcontainers")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.etcd")
}
