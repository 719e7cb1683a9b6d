package io.leaderelection.jdbc;

import java.util.List;

import io.leaderelection.autoconfigure.LeaderElectionBackend;

/**
 * What the JDBC backend requires of the application.
 */
final class JdbcBackend implements LeaderElectionBackend {

	@Override
	public String name() {
		return "jdbc";
	}

	@Override
	public String clientDependency() {
		return "org.springframework.boot:spring-boot-starter-jdbc";
	}

	@Override
	public List<String> requiredClasses() {
		return List.of("org.springframework.jdbc.core.JdbcOperations",
				"org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer");
	}

	@Override
	public List<String> beanTypes() {
		return List.of("javax.sql.DataSource");
	}

}
