plugins {
	id("auto-configuration-module")
	id("repository-tests")
}

description = "Leases and a fence in Redis"

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))

	compileOnly("io.lettuce:lettuce-core")
	compileOnly("org.springframework.boot:spring-boot-data-redis")
	compileOnly("redis.clients:jedis")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
	testImplementation("org.springframework.boot:spring-boot-starter-actuator")
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.redis")
}
