package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.servers.PgBouncer;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A real PgBouncer in between, where there is one.
 */
@Timeout(60)
@EnabledIf(value = "io.leaderelection.servers.PgBouncer#isInstalled", disabledReason = "there is no pgbouncer here")
class PgBouncerTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final PostgresServer server = PostgresServer.shared();

	private final String table = this.server.createTables();

	@ParameterizedTest
	@ValueSource(strings = { "transaction", "session" })
	void aSessionThroughAPoolerIsRefusedAndALeaseIsNot(String poolMode) throws Exception {
		try (PgBouncer bouncer = new PgBouncer(this.server, poolMode); HikariDataSource pool = bouncer.pool(2)) {
			try (JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(this.table).mode(JdbcMode.SESSION).build()) {
				assertThatExceptionOfType(UnusableDatabaseException.class).isThrownBy(store::validate)
					.withMessageContaining("PgBouncer")
					.withMessageContaining("sessionFrom");
			}
			try (JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(this.table).withoutWakeUps().build()) {
				store.validate();
				assertIsStore(store, "by time");
			}
			try (HikariDataSource direct = this.server.pool(2);
					JdbcLeaseStore store = JdbcLeaseStore.on(pool)
						.tableName(this.table)
						.mode(JdbcMode.SESSION)
						.sessionFrom(DirectConnections.besides(direct).dataSource())
						.build()) {
				store.validate();
				assertIsStore(store, "by session");
			}
		}
	}

	private static void assertIsStore(LeaseStore store, String election) {
		Owner owner = new Owner("a", "1");
		Granted granted = (Granted) store.acquire(List.of(new AcquireRequest(election, owner, LEASE, 0, true))).get(0);
		assertThat(store.acquire(List.of(new AcquireRequest(election, new Owner("b", "2"), LEASE, 0, true))).get(0))
			.isInstanceOf(Held.class);
		Lease lease = new Lease(election, owner, granted.token(), LEASE);
		for (int i = 0; i < 10; i++) {
			assertThat(store.renew(List.of(new RenewRequest(lease, false))).get(0))
				.isInstanceOf(RenewResult.Renewed.class);
		}
		store.release(List.of(lease));
	}

}
