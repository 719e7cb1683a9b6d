package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.JdbcMode;
import io.leaderelection.jdbc.RewritingDataSource;
import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.ExplainedLeaseStoreException;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Leases are bound to sessions with one server: what another one says proves nothing, and
 * some servers, and ways to them, will not do.
 */
@Timeout(60)
class PostgresSessionServerTests extends PostgresSessionScene {

	@Test
	void nodesOfBothModesWaitForEachOther() {
		Node bySession = new Node("session");
		Node byTime = new Node("time", (builder) -> builder.mode(JdbcMode.LEASE).build(), true);
		Lease first = bySession.wins(SHORT);
		byTime.isRefused(SHORT);
		assertThat(bySession.renews(first)).isInstanceOf(RenewResult.Renewed.class);
		bySession.releases(first);
		byTime.hears(ELECTION);
		Lease second = byTime.wins(SHORT);
		bySession.isRefused(SHORT);
		assertThat(byTime.renews(second)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(bySession.isRefused(SHORT).nodeId()).contains("time");
		await().until(() -> bySession.asks(SHORT) instanceof Granted);
		bySession.wins(SHORT);
		assertThat(byTime.renews(second)).isInstanceOf(RenewResult.Lost.class);
		bySession.loseSession();
		Held held = byTime.isRefused(SHORT);
		assertThat(held.nodeId()).contains("session");
		await().until(() -> byTime.asks(SHORT) instanceof Granted);
	}

	@Test
	void theLeaseOfAnotherRunOfTheServerIsWaitedOut() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		holder.wins(SHORT);
		String mark = candidate.row().incarnation();
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = ?".formatted(this.table),
				mark.replaceFirst(":[0-9]+:", ":1234567890123456:"));
		holder.close();
		assertThat(candidate.isRefused(SHORT).remaining()).isPositive();
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
	}

	@Test
	void theLeaseOfAnotherTimelineIsNobodysForOneLease() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(SHORT);
		holder.releases(lease);
		assertThat(candidate.row().incarnation()).matches("@[0-9A-F]{8}");
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = '@0000000A'".formatted(this.table));
		long begun = System.nanoTime();
		assertThat(candidate.isRefused(SHORT).remaining()).isEqualTo(SHORT);
		assertThat(candidate.isRefused(SHORT).remaining()).isBetween(Duration.ZERO, SHORT);
		assertThat(holder.isRefused(SHORT).nodeId()).isEmpty();
		await().until(() -> candidate.asks(SHORT) instanceof Granted);
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void aHeldLeaseOfAnotherTimelineIsNobodysForOneLease() {
		Node holder = new Node("a");
		Node candidate = new Node("b");
		Lease lease = holder.wins(LEASE);
		this.observer.update("UPDATE %s SET OWNER_INCARNATION = ?".formatted(this.table),
				candidate.row().incarnation().replaceFirst("@[0-9A-F]{8}", "@0000000A"));
		Held held = candidate.isRefused(SHORT);
		assertThat(held.nodeId()).isEmpty();
		assertThat(held.remaining()).isEqualTo(LEASE);
		assertThat(holder.renews(lease)).isInstanceOf(RenewResult.Lost.class);
		assertThat(candidate.row().token()).isEqualTo(lease.token());
	}

	@Test
	void nothingIsGrantedIfTheRowsAreOnAnotherServer() {
		HikariDataSource elsewhere = new HikariDataSource();
		elsewhere.setJdbcUrl(this.server.url().replaceFirst("/postgres$", "/template1"));
		elsewhere.setUsername(this.server.user());
		try (elsewhere) {
			Node node = new Node("a", (builder) -> builder.sessionFrom(elsewhere).build(), true);
			assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asks(LEASE))
				.withMessageContaining("another server or database");
			// the next one may be with the same server
			node.hears("lost");
			Lease lease = new Lease(ELECTION, node.owner, 1, LEASE);
			assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.renews(lease))
				.withMessageContaining("another server or database");
			assertThatExceptionOfType(ExplainedLeaseStoreException.class).isThrownBy(node.store::validate)
				.withMessageContaining("another server or database")
				.withMessageContaining("leader-election.jdbc.mode=lease");
		}
	}

	@Test
	void aPoolerInBetweenIsRefused() {
		assertRefused("pg_backend_pid()", "pg_backend_pid() + 1", "PgBouncer");
	}

	@Test
	void aServerThatDoesNotEndIdleSessionsIsRefused() {
		assertRefused("current_setting('server_version_num')", "'130012'", "PostgreSQL 14 or later");
	}

	private void assertRefused(String part, String replacement, String reason) {
		Node node = new Node("a",
				(builder) -> builder
					.sessionFrom(new RewritingDataSource(DirectConnections.besides(this.observing).dataSource(), part,
							replacement))
					.build(),
				false);
		assertThatExceptionOfType(ExplainedLeaseStoreException.class).isThrownBy(node.store::validate)
			.withMessageContaining("leader-election.jdbc.mode is 'session'")
			.withMessageContaining(reason)
			.withMessageContaining("leader-election.jdbc.mode=lease");
		assertThatExceptionOfType(ExplainedLeaseStoreException.class).isThrownBy(() -> node.asks(LEASE))
			.withMessageContaining(reason);
	}

	@Test
	void aStandbyServerIsNotUsedButMayBeLater() {
		Node node = new Node("a",
				(builder) -> builder
					.sessionFrom(new RewritingDataSource(DirectConnections.besides(this.observing).dataSource(),
							"pg_is_in_recovery()", "TRUE"))
					.build(),
				false);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.asks(LEASE))
			.withMessageContaining("standby");
	}

	@Test
	void aDataSourceThatHidesItsUrlIsRefused() {
		HikariDataSource pool = this.server.pool(1);
		try (JdbcLeaseStore store = JdbcLeaseStore.on(new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				return pool.getConnection();
			}

			@Override
			public Connection getConnection(String user, String password) throws SQLException {
				return pool.getConnection(user, password);
			}

		}).tableName(this.table).mode(JdbcMode.SESSION).build(); pool) {
			assertThatExceptionOfType(ExplainedLeaseStoreException.class).isThrownBy(store::validate)
				.withMessageContaining("sessionFrom");
		}
	}

	@Test
	void aValidStoreIsTriedWithoutATrace() {
		Node node = new Node("a", JdbcLeaseStore.Builder::build, false);
		node.store.validate();
		assertThat(this.observer.queryForList("SELECT * FROM " + this.table)).isEmpty();
		await().until(() -> sessions().isEmpty());
	}

}
