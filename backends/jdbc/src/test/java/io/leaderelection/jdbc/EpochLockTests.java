package io.leaderelection.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A transaction that has locked the epoch row keeps others from taking over, and its
 * leader's renewals go on.
 */
class EpochLockTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final Owner leader = new Owner("leader", UUID.randomUUID().toString());

	private final Owner candidate = new Owner("candidate", UUID.randomUUID().toString());

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "H2")
	void aTakeoverWaitsForTheTransactionAndARenewalDoesNot(Database database) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(3); Connection transaction = pool.getConnection()) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			Lease lease = acquire(store, "locked");
			Lease unlocked = acquire(store, "unlocked");
			transaction.setAutoCommit(false);
			TestDatabase.execute(transaction, "SELECT TOKEN FROM %s_EPOCH WHERE ELECTION = 'locked' %s".formatted(table,
					(database == Database.MARIADB) ? "LOCK IN SHARE MODE" : "FOR SHARE"));

			long start = System.nanoTime();
			assertThat(store.renew(List.of(new RenewRequest(lease, false), new RenewRequest(unlocked, false))))
				.hasSize(2)
				.hasOnlyElementsOfType(Renewed.class);
			store.release(List.of(lease, unlocked));
			List<AcquireResult> answers = store.acquire(candidacies(lease));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
			assertThat(answers.get(0)).isInstanceOfSatisfying(Held.class, (held) -> {
				assertThat(held.nodeId()).isEmpty();
				assertThat(held.token()).isEqualTo(lease.token());
				assertThat(held.remaining()).isEqualTo(BlockedTakeovers.SOON);
			});
			assertThat(answers.get(1)).isInstanceOf(Granted.class);
			assertThat(store.read("locked").orElseThrow().holder()).isEmpty();

			transaction.commit();
			assertThat(store.acquire(candidacies(lease)).get(0)).isInstanceOfSatisfying(Granted.class,
					(granted) -> assertThat(granted.token()).isGreaterThan(lease.token()));
			transaction.setAutoCommit(true);
		}
	}

	@ParameterizedTest
	@EnumSource
	void theEpochRowHasTheTokenOfTheNewestLeader(Database database) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2); Connection connection = pool.getConnection()) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			Lease first = acquire(store, "locked");
			assertThat(epoch(connection, table)).isEqualTo(first.token());
			store.renew(List.of(new RenewRequest(first, false)));
			store.release(List.of(first));
			assertThat(epoch(connection, table)).isEqualTo(first.token());
			Granted second = (Granted) store.acquire(candidacies(first)).get(0);
			assertThat(epoch(connection, table)).isEqualTo(second.token());
			TestDatabase.execute(connection, "DELETE FROM " + table);
			TestDatabase.execute(connection, "DELETE FROM %s_EPOCH".formatted(table));
			Lease lost = new Lease("locked", this.candidate, second.token(), LEASE);
			store.renew(List.of(new RenewRequest(lost, true)));
			assertThat(epoch(connection, table)).isEqualTo(second.token());
		}
	}

	@ParameterizedTest
	@EnumSource
	void aLostLeaseRowDoesNotReviveALeaderWhoHasASuccessor(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			Lease first = acquire(store, "locked");
			store.release(List.of(first));
			long floor = first.token() + 1_000_000_000_000L;
			Granted second = (Granted) store
				.acquire(List.of(new AcquireRequest("locked", this.candidate, LEASE, floor, false)))
				.get(0);
			server.execute("DELETE FROM " + table);
			assertThat(store.renew(List.of(new RenewRequest(first, true)))).singleElement().isInstanceOf(Lost.class);
			Lease third = acquire(store, "locked");
			assertThat(third.token()).isGreaterThan(second.token());
		}
	}

	private static long epoch(Connection connection, String table) throws Exception {
		try (var statement = connection.createStatement();
				var rows = statement
					.executeQuery("SELECT TOKEN FROM %s_EPOCH WHERE ELECTION = 'locked'".formatted(table))) {
			assertThat(rows.next()).isTrue();
			return rows.getLong(1);
		}
	}

	private Lease acquire(JdbcLeaseStore store, String election) {
		Granted granted = (Granted) store.acquire(List.of(new AcquireRequest(election, this.leader, LEASE, 0, true)))
			.get(0);
		return new Lease(election, this.leader, granted.token(), LEASE);
	}

	private List<AcquireRequest> candidacies(Lease lease) {
		return List.of(new AcquireRequest(lease.election(), this.candidate, LEASE, 0, false),
				new AcquireRequest("unlocked", this.candidate, LEASE, 0, false));
	}

}
