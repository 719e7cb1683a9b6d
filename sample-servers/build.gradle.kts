plugins {
	application
	id("java-module")
}

dependencies {
	implementation(libs.postgres.embedded)
	implementation(libs.postgres.binaries)
	implementation(libs.curator.test)
	implementation(libs.embedded.redis)

	compileOnly("org.jspecify:jspecify")
}

application {
	mainClass.set("io.leaderelection.sample.servers.SampleServer")
}
