plugins {
	id("auto-configuration-module")
}

description = "Leases of Kubernetes"

dependencies {
	api(project(":leader-election-spring-boot-autoconfigure"))

	// its HTTP client needs another Vert.x than jetcd: one class path cannot have both
	api(libs.kubernetes.client) {
		exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
	}
	api(libs.kubernetes.httpclient)

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-servers"))
	testImplementation(libs.kubernetes.mock) {
		exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
		exclude(group = "io.vertx")
	}
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.kubernetes")
}
