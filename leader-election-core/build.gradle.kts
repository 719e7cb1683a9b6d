plugins {
	id("published-module")
	id("repository-tests")
}

description = "API, engine and store SPI, in plain Java"

dependencies {
	compileOnly("org.jspecify:jspecify")

	testImplementation(libs.archunit)
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	// half of them wait, and half of them compute
	jvmArgs = listOf()
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.core")
}
