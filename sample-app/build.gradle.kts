plugins {
	application
	id("java-module")
	id("repository-tests")
}

dependencies {
	annotationProcessor("org.springframework.boot:spring-boot-configuration-processor")

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
	implementation(libs.curator.recipes)
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
