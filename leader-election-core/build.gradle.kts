plugins {
	`java-library`
}

java {
	withJavadocJar()
	withSourcesJar()
}

dependencies {
	compileOnly("org.jspecify:jspecify")

	testImplementation("com.tngtech.archunit:archunit:${property("archunit.version")}")
	testImplementation("org.assertj:assertj-core")
	testImplementation("org.awaitility:awaitility")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.test {
	// half of them wait, and half of them compute
	maxParallelForks = 2
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.core")
}
