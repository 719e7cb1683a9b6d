package io.leaderelection.jdbc;

import java.net.URI;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.leaderelection.nodes.SwallowedLeaderContract;
import io.leaderelection.servers.TestDatabase;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A leader cut off from its database, which it reaches through the pool that Spring Boot
 * makes.
 */
abstract class SwallowedJdbcLeaderContract extends SwallowedLeaderContract {

	private final TestDatabase server;

	private final String table;

	SwallowedJdbcLeaderContract(TestDatabase server) {
		this.server = server;
		this.table = server.createTables();
	}

	@Override
	protected int serverPort() {
		return URI.create(this.server.url().substring("jdbc:".length())).getPort();
	}

	@Override
	protected List<String> properties(int port) {
		return List.of("leader-election.backend=jdbc", "leader-election.jdbc.table-name=" + this.table,
				"spring.datasource.url=" + this.server.url().replace(":" + serverPort() + "/", ":" + port + "/"),
				"spring.datasource.username=" + this.server.user(),
				"spring.datasource.password=" + this.server.password());
	}

	/** Hibernate asks the database at the start, and waits for its answer. */
	@Override
	protected List<String> propertiesOfAnApplicationThatAsksNothing() {
		return List.of("spring.datasource.hikari.connection-timeout=1000", "spring.data.jpa.repositories.enabled=false",
				"spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");
	}

	@Override
	protected void assertNothingIsLeftHanging(ConfigurableApplicationContext application) {
		HikariPoolMXBean pool = application.getBean(HikariDataSource.class).getHikariPoolMXBean();
		assertThat(pool.getActiveConnections()).isZero();
		assertThat(pool.getThreadsAwaitingConnection()).isZero();
	}

}
