plugins {
	id("published-module")
}

description = "A leader to grant and revoke in tests, the store contract and the simulator"

dependencies {
	api(project(":leader-election-core"))

	compileOnly("org.assertj:assertj-core")
	compileOnly("org.awaitility:awaitility")
	compileOnly("org.junit.jupiter:junit-jupiter")
	compileOnly("org.springframework:spring-test")
	compileOnly("org.springframework.boot:spring-boot-autoconfigure")
	compileOnly("org.jspecify:jspecify")

	testImplementation("org.junit.platform:junit-platform-testkit")
}

tasks.test {
	// half of them wait, and half of them compute
	jvmArgs = listOf()
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.test")
}
