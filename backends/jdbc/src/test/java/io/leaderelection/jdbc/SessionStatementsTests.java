package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.session.SessionConditions;
import io.leaderelection.jdbc.session.SessionMark;
import io.leaderelection.jdbc.session.TestSession;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.jdbc.sql.StoreConnection;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TestDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each condition of the statements on leases that are bound to sessions, by itself: rows
 * as they are found after things that hardly ever happen.
 */
@Timeout(60)
class SessionStatementsTests {

	private static final String ELECTION = "reports";

	private static final long TOKEN = 100;

	private static final long MINUTE = Duration.ofMinutes(1).toNanos() / 1000;

	private final PostgresServer server = PostgresServer.shared();

	private final String table = this.server.createTables();

	private final HikariDataSource pool = this.server.pool(3);

	private final JdbcTemplate observer = new JdbcTemplate(this.pool);

	private final LeaseStatements statements = new LeaseStatements(JdbcDialect.POSTGRESQL, new LeaseTables(this.table));

	private TestSession session;

	private TestSession ofTheOther;

	private SessionMark own;

	private SessionMark other;

	@BeforeEach
	void openSessions() throws SQLException {
		this.session = TestSession.open(this.pool);
		this.ofTheOther = TestSession.open(this.pool);
		this.own = this.session.mark();
		this.other = this.ofTheOther.mark();
	}

	@AfterEach
	void close() throws SQLException {
		this.session.close();
		this.ofTheOther.close();
		this.pool.close();
	}

	@Test
	void aLeaseIsTakenOnceItsSessionHasEnded() throws SQLException {
		held("b", this.other.on("2"), MINUTE);
		assertThat(lookAndTake()).isZero();
		assertThat(take()).isZero();
		this.ofTheOther.close();
		awaitEnd(this.other);
		assertThat(take()).isOne();
		held("b", this.other.on("2"), MINUTE);
		assertThat(lookAndTake()).isGreaterThan(TOKEN);
	}

	@Test
	void theEndOfASessionWithAnotherRunOfTheServerIsNotKnown() throws SQLException {
		endedElsewhere(new SessionMark(this.other.timeline(), this.other.server() - 1, this.other.key()));
	}

	@Test
	void theEndOfASessionOnAnotherTimelineIsNotKnown() throws SQLException {
		endedElsewhere(new SessionMark("0000000A", this.other.server(), this.other.key()));
	}

	private void endedElsewhere(SessionMark mark) throws SQLException {
		this.ofTheOther.close();
		awaitEnd(this.other);
		held("b", mark.on("2"), MINUTE);
		assertThat(lookAndTake()).isZero();
		assertThat(take()).isZero();
		assertThat(look().sessionEnded()).isFalse();
	}

	/** By somebody who is not held up by the lock on the epoch row, such as a hand. */
	@ParameterizedTest
	@ValueSource(strings = { "TOKEN = 1000000000000000000", "EXPIRES_AT = EXPIRES_AT + 60000000" })
	void whatIsChangedMeanwhileIsNotTaken(String change) throws Exception {
		held("b", "2", 0);
		FutureTask<Long> asking = new FutureTask<>(this::lookAndTake);
		try (Connection changing = this.pool.getConnection()) {
			changing.setAutoCommit(false);
			TestDatabase.execute(changing, "UPDATE %s SET %s".formatted(this.table, change));
			new Thread(asking, "asking").start();
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(this::isSomebodyBlocked);
			changing.commit();
			changing.setAutoCommit(true);
		}
		assertThat(asking.get()).isZero();
	}

	private boolean isSomebodyBlocked() {
		return !this.observer
			.queryForList("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'WITH asked%'")
			.isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "2000000000000000000, 100, 0", "100, 2000000000000000000, 0", "100, 100, 2000000000000000000" })
	void aTokenIsHigherThanEachThatIsKnown(long inTheLease, long inTheEpoch, long floor) throws SQLException {
		held("b", "2", 0);
		this.observer.update("UPDATE %s SET TOKEN = ?".formatted(this.table), inTheLease);
		this.observer.update("UPDATE %s_EPOCH SET TOKEN = ?".formatted(this.table), inTheEpoch);
		long granted = lookAndTake(bound(), floor);
		assertThat(granted).isEqualTo(2_000_000_000_000_000_001L);
		assertThat(this.observer.queryForObject("SELECT TOKEN FROM %s_EPOCH".formatted(this.table), Long.class))
			.isEqualTo(granted);
	}

	@Test
	void onlyWhatWasSeenIsTaken() throws SQLException {
		held("b", "2", 0);
		List<Object> parameters = List.of(TOKEN + 1, "a", this.own.on("1"), MINUTE, MINUTE, ELECTION, TOKEN - 1, "a");
		assertThat(update(bound().take(), parameters)).isZero();
	}

	@Test
	void onlyTheSessionsThatMayBeTakenFromAre() throws SQLException {
		this.ofTheOther.close();
		awaitEnd(this.other);
		held("b", this.other.on("2"), MINUTE);
		for (List<Long> takeable : List.of(List.<Long>of(), List.of(this.own.key(), this.other.key() + 1))) {
			LeaseStatements bound = bound(this.own, takeable);
			assertThat(lookAndTake(bound)).isZero();
			assertThat(take(bound)).isZero();
		}
		assertThat(lookAndTake(bound(this.own, List.of(this.own.key(), this.other.key())))).isGreaterThan(TOKEN);
	}

	@Test
	void nothingIsTakenOrKeptByASessionThatHasEnded() throws SQLException {
		SessionMark ended = this.other;
		this.ofTheOther.close();
		awaitEnd(ended);
		LeaseStatements bound = bound(ended, null);
		held("a", ended.on("1"), 0);
		assertThat(lookAndTake(bound)).isZero();
		held("a", ended.on("1"), MINUTE);
		assertThat(renew(bound, ended)).isZero();
		assertThat(renewAll(bound, ended)).isZero();
		held("b", "2@0000000A", 0);
		assertThat(quarantine(bound, TOKEN)).isZero();
	}

	@Test
	void whatASessionKeepsIsProlonged() throws SQLException {
		held("a", this.own.on("1"), MINUTE);
		assertThat(renew(bound(), this.own)).isOne();
		assertThat(renewAll(bound(), this.own)).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "@0000000A", "2@0000000A:1234567890123456:4711" })
	void aFreeLeaseOfAnotherTimelineIsNotTaken(String incarnation) throws SQLException {
		held("b", incarnation, 0);
		assertThat(lookAndTake()).isZero();
		assertThat(take()).isZero();
		assertThat(quarantine(bound(), TOKEN)).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "2", "2@0000000", "2@0000000A:1", "8400e29b-41d4-a716-446655440000" })
	void aFreeLeaseOfNoTimelineIsTaken(String incarnation) throws SQLException {
		held("b", incarnation, 0);
		assertThat(quarantine(bound(), TOKEN)).isZero();
		assertThat(lookAndTake()).isGreaterThan(TOKEN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "OWNER_NODE = 'b'", "OWNER_INCARNATION = '1'", "TOKEN = 101", "EXPIRES_AT = 1" })
	void whatIsNotHeldIsNeitherKeptNorGivenUp(String change) throws SQLException {
		held("a", this.own.on("1"), MINUTE);
		this.observer.update("UPDATE %s SET %s".formatted(this.table, change));
		Map<String, Object> before = row();
		assertThat(renew(bound(), this.own)).isZero();
		assertThat(renewAll(bound(), this.own)).isZero();
		run(bound().release(1), List.of("a", this.own.on("1"), ELECTION, TOKEN));
		run(bound().transfer(), List.of("b", MINUTE, MINUTE, "a", this.own.on("1"), ELECTION, TOKEN));
		assertThat(row()).isEqualTo(before);
	}

	private Map<String, Object> row() {
		return this.observer.queryForMap("SELECT * FROM " + this.table);
	}

	@Test
	void whatIsReservedIsTakenByTheOneItIsReservedFor() throws SQLException {
		held(null, this.own.on("1"), MINUTE);
		this.observer.update("UPDATE %s SET RESERVED_FOR = 'c'".formatted(this.table));
		assertThat(lookAndTake()).isZero();
		this.observer.update("UPDATE %s SET RESERVED_FOR = 'a'".formatted(this.table));
		assertThat(lookAndTake()).isGreaterThan(TOKEN);
	}

	@Test
	void onlyARowWithALowerTokenIsWrittenAgain() throws SQLException {
		held("b", "2", MINUTE);
		assertThat(rewrite(TOKEN)).isZero();
		assertThat(rewrite(TOKEN + 1)).isOne();
	}

	private int rewrite(long token) throws SQLException {
		return update(bound().rewrite(), List.of(token, "a", this.own.on("1"), MINUTE, MINUTE, ELECTION, token));
	}

	@Test
	void onlyWhatWasSeenIsPutInQuarantine() throws SQLException {
		held("b", "2@0000000A", 0);
		assertThat(quarantine(bound(), TOKEN - 1)).isZero();
		held("b", this.other.on("2"), MINUTE);
		assertThat(quarantine(bound(), TOKEN)).isZero();
	}

	@Test
	void aQuarantineShortensNoLeaseAndIsKnownToBeOfThisTimeline() throws SQLException {
		held("b", "2@0000000A", 10 * MINUTE);
		long expiresAt = look().expiresAt();
		this.observer.update("UPDATE %s SET RESERVED_FOR = 'a'".formatted(this.table));
		assertThat(quarantine(bound(), TOKEN)).isOne();
		StoredLease after = look();
		assertThat(after.expiresAt()).isEqualTo(expiresAt);
		assertThat(after.reservedFor()).isNull();
		assertThat(after.owner()).isNull();
		assertThat(after.mark()).isEqualTo(new SessionMark(this.own.timeline(), 0, 0));
	}

	@Test
	void aQuarantineLastsForAsLongAsItIsToldTo() throws SQLException {
		held("b", "2@0000000A", 0);
		assertThat(quarantine(bound(), TOKEN)).isOne();
		StoredLease after = look();
		assertThat(after.expiresAt() - after.now()).isBetween(MINUTE * 9 / 10, MINUTE);
	}

	@Test
	void whatIsGivenUpIsKnownToBeOfThisTimeline() throws SQLException {
		held("a", this.own.on("1"), MINUTE);
		run(bound().transfer(), List.of("b", MINUTE, MINUTE, "a", this.own.on("1"), ELECTION, TOKEN));
		assertThat(look().reservedFor()).isEqualTo("b");
		assertThat(look().mark()).isEqualTo(new SessionMark(this.own.timeline(), 0, 0));
		held("a", this.own.on("1"), MINUTE);
		run(bound().release(1), List.of("a", this.own.on("1"), ELECTION, TOKEN));
		assertThat(look().isHeld()).isFalse();
		assertThat(look().mark()).isEqualTo(new SessionMark(this.own.timeline(), 0, 0));
	}

	/** Writes the rows of the election anew. */
	private void held(String nodeId, String incarnation, long micros) {
		this.observer.update("DELETE FROM " + this.table);
		this.observer.update("DELETE FROM %s_EPOCH".formatted(this.table));
		this.observer.update("INSERT INTO %s_EPOCH (ELECTION, TOKEN) VALUES (?, ?)".formatted(this.table), ELECTION,
				TOKEN);
		this.observer.update(
				("INSERT INTO %s (ELECTION, TOKEN, OWNER_NODE, OWNER_INCARNATION, EXPIRES_AT, LEASE_DURATION) "
						+ "VALUES (?, ?, ?, ?, %s + ?, ?)")
					.formatted(this.table, JdbcDialect.POSTGRESQL.now()),
				ELECTION, TOKEN, nodeId, incarnation, micros, MINUTE);
	}

	private void awaitEnd(SessionMark mark) {
		this.observer
			.queryForList("SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(%d)) AS locked".formatted(mark.key()));
	}

	private LeaseStatements bound() {
		return bound(this.own, null);
	}

	private LeaseStatements bound(SessionMark mark, List<Long> takeable) {
		return this.statements.with(new SessionConditions(mark, takeable));
	}

	private long lookAndTake() throws SQLException {
		return lookAndTake(bound());
	}

	private long lookAndTake(LeaseStatements bound) throws SQLException {
		return lookAndTake(bound, 0);
	}

	/** The token that was granted, or zero. */
	private long lookAndTake(LeaseStatements bound, long floor) throws SQLException {
		try (StoreConnection connection = connection()) {
			return connection
				.query(bound.lookAndTake(1), (row) -> row.getLong("GRANTED"),
						List.of(ELECTION, floor, MINUTE, "a", "a", this.own.on("1"), "a", "a", "a"))
				.get(0);
		}
	}

	private int take() throws SQLException {
		return take(bound());
	}

	private int take(LeaseStatements bound) throws SQLException {
		return update(bound.take(), List.of(TOKEN + 1, "a", this.own.on("1"), MINUTE, MINUTE, ELECTION, TOKEN, "a"));
	}

	private int renew(LeaseStatements bound, SessionMark mark) throws SQLException {
		return update(bound.renew(), List.of(MINUTE, MINUTE, "a", mark.on("1"), ELECTION, TOKEN));
	}

	private int renewAll(LeaseStatements bound, SessionMark mark) throws SQLException {
		return update(bound.renewAll(1), List.of("a", mark.on("1"), ELECTION, TOKEN, MINUTE));
	}

	private int quarantine(LeaseStatements bound, long token) throws SQLException {
		return update(bound.quarantine(), List.of(MINUTE, MINUTE, ELECTION, token));
	}

	private StoredLease look() throws SQLException {
		try (StoreConnection connection = connection()) {
			return Objects
				.requireNonNull(connection.query(bound().look(1), StoredLease::from, List.of("a", ELECTION)).get(0));
		}
	}

	private int update(String sql, List<?> parameters) throws SQLException {
		try (StoreConnection connection = connection()) {
			return connection.update(sql, parameters);
		}
	}

	private void run(String sql, List<?> parameters) throws SQLException {
		try (StoreConnection connection = connection()) {
			connection.run(sql, parameters);
		}
	}

	private StoreConnection connection() throws SQLException {
		return StoreConnection.open(this.pool, Duration.ofSeconds(2));
	}

}
