package io.leaderelection.jdbc;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.Ports;
import io.leaderelection.servers.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A database that answers every read and rejects every write.
 */
@Timeout(120)
class ReadOnlyDatabaseTests {

	private static final ElectionSettings SETTINGS = ElectionSettings.builder()
		.leaseDuration(Duration.ofSeconds(3))
		.callTimeout(Duration.ofSeconds(1))
		.build();

	private final PostgresServer server = PostgresServer.shared();

	@Test
	void aReadOnlyDatabaseIsAnOutageWhetherOrNotItIsRead() {
		String table = this.server.createTables();
		try (HikariDataSource pool = readOnlyPool(); LeaderElections elections = node(pool, table)) {
			LeaderElector elector = elections.elector("reports", SETTINGS);
			elections.start();
			HealthIndicator health = ElectionHealth.of(elections);
			await().until(() -> {
				elector.operations().candidates().join();
				return health.health().getStatus().equals(Status.DOWN);
			});
			await().during(SETTINGS.leaseDuration()).until(() -> {
				elector.operations().candidates().join();
				return health.health().getStatus().equals(Status.DOWN);
			});
			assertThat(elector.status().lastError())
				.hasValueSatisfying((error) -> assertThat(error).startsWith("The lease store rejects 'acquire': ")
					.contains("in a read-only transaction"));
			assertThat(health.health().getDetails().toString()).contains("in a read-only transaction");
		}
	}

	@Test
	void aDatabaseThatRefusesConnectionsDoesNotAnswer() {
		try (HikariDataSource pool = pool("jdbc:postgresql://localhost:%d/postgres".formatted(Ports.free()));
				LeaderElections elections = node(pool, "ANY")) {
			LeaderElector elector = elections.elector("reports", ElectionSettings.ofLease(Duration.ofSeconds(60)));
			elections.start();
			await().until(() -> elector.status().failuresInARow() > 0);
			assertThat(elector.status().lastError()).hasValueSatisfying(
					(error) -> assertThat(error).startsWith("The lease store does not answer ").contains("refused"));
		}
	}

	private HikariDataSource readOnlyPool() {
		HikariDataSource pool = pool(this.server.url());
		pool.addDataSourceProperty("options", "-c default_transaction_read_only=on");
		return pool;
	}

	private HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(this.server.user());
		pool.setPassword(this.server.password());
		pool.setMaximumPoolSize(2);
		pool.setConnectionTimeout(250);
		pool.setInitializationFailTimeout(-1);
		return pool;
	}

	private static LeaderElections node(HikariDataSource pool, String table) {
		return LeaderElections.on(JdbcLeaseStore.on(pool).tableName(table).withoutWakeUps().build())
			.nodeId("node")
			.build();
	}

}
