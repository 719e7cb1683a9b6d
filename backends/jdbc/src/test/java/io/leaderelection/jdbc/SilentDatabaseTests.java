package io.leaderelection.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.actuate.LeaderElectionActuatorAutoConfiguration;
import io.leaderelection.autoconfigure.FencingAutoConfiguration;
import io.leaderelection.autoconfigure.LeaderElectionAutoConfiguration;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TcpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A database that accepts connections and says nothing, or answers slowly.
 */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class SilentDatabaseTests {

	private final PostgresServer server = PostgresServer.shared();

	private final TcpProxy proxy = new TcpProxy(this.server::port);

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
				JdbcLeaderElectionAutoConfiguration.class, LeaderElectionAutoConfiguration.class,
				LeaderElectionActuatorAutoConfiguration.class, JdbcFenceAutoConfiguration.class,
				FencingAutoConfiguration.class))
		.withBean(HikariDataSource.class, this::lazyPool)
		.withPropertyValues("leader-election.jdbc.table-name=NEVER_CREATED", "leader-election.lease-duration=2s",
				"leader-election.elections.reports=");

	@AfterEach
	void close() throws IOException {
		this.proxy.close();
	}

	@Test
	void aSilentDatabaseIsLoggedAndDoesNotPreventTheStart(CapturedOutput output) {
		this.proxy.swallow();
		this.application.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("The tables of the leader election could not be checked")
				.contains("The table of the fence could not be checked: the database has not answered before");
			this.proxy.forward();
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				Health health = context.getBean(HealthIndicator.class).health(true);
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).asString()
					.contains("The lease store rejects 'acquire': The tables of the leader election (NEVER_CREATED,");
			});
		});
	}

	@Test
	void aMissingTablePreventsTheStartHoweverSlowTheDatabaseIs() {
		this.application
			.withBean("dataSource", DataSource.class, () -> new SlowDataSource(lazyPool()),
					(definition) -> definition.setPrimary(true))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("\"never_created\" does not exist"));
	}

	/** Connects when it is first asked for a connection. */
	private HikariDataSource lazyPool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:postgresql://localhost:%d/postgres".formatted(this.proxy.port()));
		pool.setUsername(this.server.user());
		pool.setPassword(this.server.password());
		pool.setConnectionTimeout(1000);
		return pool;
	}

	/**
	 * Gives a connection after a second.
	 */
	private static final class SlowDataSource extends DelegatingDataSource {

		private static final Executor LATER = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);

		SlowDataSource(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			CompletableFuture.runAsync(() -> {
			}, LATER).join();
			return super.getConnection();
		}

	}

}
