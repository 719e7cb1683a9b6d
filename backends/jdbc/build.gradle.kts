plugins {
	id("auto-configuration-module")
}

description = "Leases in a relational database, and fenced transactions"

dependencies {
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
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.jdbc")
}
