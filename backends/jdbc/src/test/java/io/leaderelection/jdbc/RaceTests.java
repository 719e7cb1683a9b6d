package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.TestDatabase;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Lost;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What happens when a row changes between the look at it and the writing.
 */
class RaceTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final long HIGHER = 1_000_000_000_000L;

	private final Owner owner = new Owner("one", "1");

	private final Owner other = new Owner("other", "2");

	@ParameterizedTest
	@EnumSource(mode = Mode.EXCLUDE, names = "POSTGRESQL")
	void aTokenThatRisesAfterTheLookIsExceededAndTheEpochsFollow(Database database) throws Exception {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2); Connection connection = pool.getConnection()) {
			ObservedDataSource observed = new ObservedDataSource(pool);
			JdbcLeaseStore store = JdbcLeaseStore.on(observed).tableName(table).build();
			List<AcquireRequest> first = List.of(candidacy("a", this.owner), candidacy("b", this.owner));
			store.release(leases(first, store.acquire(first)));
			observed.before("UPDATE %s SET TOKEN".formatted(table), () -> server
				.execute("UPDATE %s SET TOKEN = TOKEN + %d WHERE ELECTION = 'b'".formatted(table, HIGHER)));
			List<AcquireRequest> second = List.of(candidacy("a", this.other), candidacy("b", this.other));
			List<Lease> taken = leases(second, store.acquire(second));
			assertThat(taken).hasSize(2);
			assertThat(taken.get(1).token() - taken.get(0).token()).isGreaterThan(HIGHER / 2);
			assertThat(epochs(connection, table)).containsExactly(taken.get(0).token(), taken.get(1).token());
		}
	}

	/** Look and writing are one statement there, which waits for the row in between. */
	@Test
	void aRowThatChangesWithinTheStatementIsTakenAsItHasBecome() throws Exception {
		TestDatabase server = Database.POSTGRESQL.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(3);
				Connection connection = pool.getConnection();
				Connection transaction = pool.getConnection()) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(table).build();
			List<AcquireRequest> first = List.of(candidacy("a", this.owner), candidacy("b", this.owner));
			store.release(leases(first, store.acquire(first)));
			transaction.setAutoCommit(false);
			TestDatabase.execute(transaction,
					"UPDATE %s SET TOKEN = TOKEN + %d WHERE ELECTION = 'b'".formatted(table, HIGHER));
			List<AcquireRequest> second = List.of(candidacy("a", this.other), candidacy("b", this.other));
			CompletableFuture<List<AcquireResult>> answers = CompletableFuture.supplyAsync(() -> store.acquire(second),
					(task) -> new Thread(task).start());
			await().until(() -> isWaitedFor(connection, table));
			transaction.commit();
			List<Lease> taken = leases(second, answers.get());
			assertThat(taken).hasSize(2);
			assertThat(taken.get(1).token() - taken.get(0).token()).isGreaterThan(HIGHER / 2);
			assertThat(epochs(connection, table)).containsExactly(taken.get(0).token(), taken.get(1).token());
		}
	}

	private static boolean isWaitedFor(Connection connection, String table) throws Exception {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(("SELECT count(*) FROM pg_stat_activity WHERE "
						+ "wait_event_type = 'Lock' AND query LIKE 'WITH asked%%UPDATE %s l%%'")
					.formatted(table))) {
			return row.next() && row.getInt(1) > 0;
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRecordThatASuccessorWritesAfterTheLookIsNotOverwritten(Database database) {
		TestDatabase server = database.server();
		String table = server.createTables();
		try (HikariDataSource pool = server.pool(2)) {
			ObservedDataSource observed = new ObservedDataSource(pool);
			JdbcLeaseStore store = JdbcLeaseStore.on(observed).tableName(table).build();
			Lease lost = leases(List.of(candidacy("a", this.owner)), store.acquire(List.of(candidacy("a", this.owner))))
				.get(0);
			server.execute("DELETE FROM " + table);
			observed.before("UPDATE %s SET TOKEN".formatted(table),
					() -> server.execute(("INSERT INTO %s (ELECTION, TOKEN, OWNER_NODE, OWNER_INCARNATION, EXPIRES_AT, "
							+ "LEASE_DURATION) VALUES ('a', %d, 'other', '2', (%s) + 60000000, 60000000)")
						.formatted(table, lost.token() + HIGHER, JdbcDialect.valueOf(database.name()).now())));
			assertThat(store.renew(List.of(new RenewRequest(lost, true))).get(0)).isInstanceOf(Absent.class);
			assertThat(store.read("a").orElseThrow().holder()).contains(this.other);
			assertThat(store.renew(List.of(new RenewRequest(lost, true))).get(0)).isInstanceOf(Lost.class);
		}
	}

	private static List<Long> epochs(Connection connection, String table) throws Exception {
		List<Long> tokens = new ArrayList<>();
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement
					.executeQuery("SELECT TOKEN FROM %s_EPOCH ORDER BY ELECTION".formatted(table))) {
			while (rows.next()) {
				tokens.add(rows.getLong(1));
			}
		}
		return tokens;
	}

	private static List<Lease> leases(List<AcquireRequest> candidacies, List<AcquireResult> answers) {
		List<Lease> leases = new ArrayList<>();
		for (int i = 0; i < answers.size(); i++) {
			if (answers.get(i) instanceof Granted granted) {
				AcquireRequest candidacy = candidacies.get(i);
				leases.add(new Lease(candidacy.election(), candidacy.owner(), granted.token(), LEASE));
			}
		}
		return leases;
	}

	private static AcquireRequest candidacy(String election, Owner owner) {
		return new AcquireRequest(election, owner, LEASE, 0, true);
	}

}
