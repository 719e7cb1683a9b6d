plugins {
	application
}

configurations.all {
	// needs another Vert.x than jetcd: one class path cannot have both
	exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
}

dependencies {
	annotationProcessor("org.springframework.boot:spring-boot-configuration-processor:${property("spring-boot.version")}")

	implementation(project(":leader-election-spring-boot-starter"))
	implementation("org.springframework.boot:spring-boot-starter-actuator")
	implementation("org.springframework.boot:spring-boot-starter-jdbc")
	implementation("org.springframework.boot:spring-boot-starter-webmvc")
	implementation("com.h2database:h2")
	implementation("io.micrometer:context-propagation")
	implementation("org.springframework.boot:spring-boot-reactor")

	// the backends: an application of your own needs one of them
	implementation(project(":leader-election-dynamodb"))
	implementation(project(":leader-election-etcd"))
	implementation(project(":leader-election-kubernetes"))
	implementation("org.apache.curator:curator-recipes:${property("curator.version")}")
	implementation("org.springframework.boot:spring-boot-starter-data-redis")

	runtimeOnly("io.micrometer:micrometer-registry-prometheus")
	runtimeOnly("org.postgresql:postgresql")

	compileOnly("org.jspecify:jspecify")

	testImplementation(project(":leader-election-test"))
	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc-test")
}

application {
	mainClass.set("io.leaderelection.sample.SampleApplication")
}

tasks.test {
	jvmArgs(project.property("test-jvm").toString().split(" "))
}
