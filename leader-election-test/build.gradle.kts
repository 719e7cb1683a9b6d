plugins {
	`java-library`
}

dependencies {
	api(project(":leader-election-core"))

	compileOnly("org.assertj:assertj-core")
	compileOnly("org.awaitility:awaitility")
	compileOnly("org.junit.jupiter:junit-jupiter")
	compileOnly("org.jspecify:jspecify")
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.test")
}
