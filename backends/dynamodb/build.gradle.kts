plugins {
	id("auto-configuration-module")
}

description = "Leases and a fence in DynamoDB"

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))

	api(libs.dynamodb.client)

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.dynamodb")
}
