package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Owner;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A transaction that has passed the fence, and then neither commits nor ends.
 */
@Timeout(120)
class BlockedTakeoverTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private final PostgresServer server = PostgresServer.shared();

	@Test
	void aTakeoverThatAnIdleTransactionBlocksIsReportedWithItsSession() throws Exception {
		String table = this.server.createTables();
		try (HikariDataSource pool = this.server.pool(4);
				Connection idle = pool.getConnection();
				Connection other = pool.getConnection();
				LeaderElections elections = node(pool, table)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			Owner dead = new Owner("dead", "incarnation");
			store.acquire(List.of(new AcquireRequest("reports", dead, LEASE, 0, true),
					new AcquireRequest("others", dead, LEASE, 0, true)));
			other.setAutoCommit(false);
			lockEpoch(other, table, "others");
			idle.setAutoCommit(false);
			lockEpoch(idle, table, "reports");
			long pid = pid(idle);
			LeaderElector elector = elections.elector("reports", ElectionSettings.ofLease(LEASE));
			HealthIndicator health = ElectionHealth.of(elections);
			elections.start();
			await().until(() -> elector.status().blockedBy().isPresent());
			assertThat(elector.status().blockedBy())
				.hasValueSatisfying((blocker) -> assertThat(blocker).startsWith("The transaction of session " + pid)
					.contains("idle in transaction")
					.contains("pg_terminate_backend(%d)".formatted(pid)));
			assertThat(elector.status().lastError()).hasValueSatisfying((error) -> assertThat(error)
				.startsWith("The takeover of 'reports' is blocked: The transaction of "));
			assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.health().getDetails().toString()).contains("blockedBy").contains("session " + pid);
			idle.rollback();
			await().until(elector::isLeader);
			assertThat(elector.status().blockedBy()).isEmpty();
			await().until(() -> health.health().getStatus().equals(Status.UP));
			other.rollback();
		}
	}

	@Test
	void aTransactionThatIsIdleForALeaseAfterItsCheckIsEndedAndItsCommitFails() {
		String table = this.server.createTables();
		try (HikariDataSource pool = this.server.pool(4); LeaderElections elections = node(pool, table)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			Granted granted = (Granted) store
				.acquire(List.of(new AcquireRequest("reports", new Owner("dead", "incarnation"), LEASE, 0, true)))
				.get(0);
			JdbcFence fence = JdbcFence.on(pool).tableName(table).leaseDuration((election) -> LEASE).build();
			LeaderElector elector = elections.elector("reports", ElectionSettings.ofLease(LEASE));
			elections.start();
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> transaction.executeWithoutResult((status) -> {
					fence.check(new FencingToken("reports", granted.token()));
					await().until(elector::isLeader);
				}))
				.isNotInstanceOf(ConditionTimeoutException.class);
			assertThat(elector.isLeader()).isTrue();
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, 2s", "1500ms, 1500ms", "1min, 2s", "2d, 2s" })
	void theLimitHoldsForTheFencedTransactionOnlyAndRaisesNoShorterOne(String before, String within) {
		String table = this.server.createTables();
		try (HikariDataSource pool = this.server.pool(1)) {
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			jdbc.execute("SET idle_in_transaction_session_timeout = '%s'".formatted(before));
			String set = limit(jdbc);
			JdbcFence fence = JdbcFence.on(pool).tableName(table).leaseDuration((election) -> LEASE).build();
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
			transaction.executeWithoutResult((status) -> {
				fence.check(new FencingToken("reports", 1));
				assertThat(limit(jdbc)).isEqualTo(within);
			});
			assertThat(limit(jdbc)).isEqualTo(set);
			transaction.executeWithoutResult((status) -> {
				fence.check(new FencingToken("reports", 1));
				status.setRollbackOnly();
			});
			assertThat(limit(jdbc)).isEqualTo(set);
		}
	}

	@Test
	void theFencesOfTheApplicationKnowTheLeasesOfItsElections() {
		String table = this.server.createTables();
		try (HikariDataSource pool = this.server.pool(2); LeaderElections elections = node(pool, table)) {
			elections.elector("reports", ElectionSettings.ofLease(Duration.ofSeconds(7)));
			JdbcLeaderElectionProperties properties = new JdbcLeaderElectionProperties();
			properties.setTableName(table);
			JdbcFence fence = new JdbcFenceAutoConfiguration()
				.leaderElectionJdbcFences(properties, new StaleTokens(elections), elections)
				.of(pool);
			JdbcTemplate jdbc = new JdbcTemplate(pool);
			new TransactionTemplate(new DataSourceTransactionManager(pool)).executeWithoutResult((status) -> {
				fence.check(new FencingToken("unknown", 1));
				assertThat(limit(jdbc)).isEqualTo("0");
				fence.check(new FencingToken("reports", 1));
				assertThat(limit(jdbc)).isEqualTo("7s");
			});
		}
	}

	private static String limit(JdbcTemplate jdbc) {
		return jdbc.queryForObject("SHOW idle_in_transaction_session_timeout", String.class);
	}

	private static void lockEpoch(Connection connection, String table, String election) throws Exception {
		TestDatabase.execute(connection,
				"SELECT TOKEN FROM %s_EPOCH WHERE ELECTION = '%s' FOR SHARE".formatted(table, election));
	}

	private static long pid(Connection connection) throws Exception {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
			rows.next();
			return rows.getLong(1);
		}
	}

	private static LeaderElections node(HikariDataSource pool, String table) {
		return LeaderElections.on(JdbcLeaseStore.on(pool).tableName(table).withoutWakeUps().build())
			.nodeId("candidate")
			.build();
	}

}
