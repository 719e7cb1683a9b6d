plugins {
	`java-library`
}

dependencies {
	api(project(":leader-election-core"))
	compileOnly("org.jspecify:jspecify")

	testImplementation("org.assertj:assertj-core")
	testImplementation("org.junit.jupiter:junit-jupiter")
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.test")
}
