package io.leaderelection.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.FencingToken;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.jdbc.sql.LeaseTables;
import io.leaderelection.servers.Database;
import io.leaderelection.servers.H2Memory;
import io.leaderelection.servers.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * What the databases do not have in common. SQL Server and Oracle are not run here: their
 * statements are read by H2 in its modes for them, and the rest is compared as text.
 */
class JdbcDialectTests {

	@ParameterizedTest
	@CsvSource({ "PostgreSQL, POSTGRESQL", "MySQL, MYSQL", "MariaDB, MARIADB", "H2, H2",
			"Microsoft SQL Server, SQLSERVER", "Oracle, ORACLE" })
	void aProductHasItsDialect(String product, JdbcDialect dialect) {
		assertThat(JdbcDialect.ofProduct(product)).contains(dialect);
	}

	@ParameterizedTest
	@EnumSource
	void everyDialectHasItsScript(JdbcDialect dialect) throws IOException {
		assertThat(script(dialect)).contains("LEADER_ELECTION (")
			.contains("LEADER_ELECTION_EPOCH (")
			.contains("LEADER_ELECTION_CANDIDATE (")
			.contains("ELECTION", "TOKEN", "OWNER_NODE", "OWNER_INCARNATION", "RESERVED_FOR", "EXPIRES_AT",
					"LEASE_DURATION", "NODE_ID", "STANDBY_UNTIL")
			.contains("PRIMARY KEY (ELECTION, NODE_ID)");
	}

	@Test
	void namesAreComparedByteByByte() throws IOException {
		assertThat(script(JdbcDialect.MYSQL)).contains("COLLATE utf8mb4_0900_bin");
		assertThat(script(JdbcDialect.MARIADB)).contains("COLLATE utf8mb4_nopad_bin");
		assertThat(script(JdbcDialect.SQLSERVER)).contains("NVARCHAR(200) COLLATE Latin1_General_100_BIN2");
		assertThat(JdbcDialect.SQLSERVER.tellsNamesApart("reports ")).isFalse();
		assertThat(JdbcDialect.SQLSERVER.tellsNamesApart("re ports")).isTrue();
		assertThat(JdbcDialect.ORACLE.tellsNamesApart("reports ")).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void theDatabasesClockCountsMicrosecondsInUtc(Database database) throws Exception {
		TestDatabase server = database.server();
		JdbcDialect dialect = JdbcDialect.valueOf(database.name());
		try (HikariDataSource pool = server.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(switch (database) {
				case POSTGRESQL -> "SET TIME ZONE 'Asia/Kolkata'";
				case MARIADB -> "SET time_zone = '+05:30'";
				case H2 -> "SET TIME ZONE 'Asia/Kolkata'";
			});
			assertThat(read(statement, dialect)).isCloseTo(System.currentTimeMillis() * 1000, within(2_000_000L));
			long first = read(statement, dialect);
			assertThat(read(statement, dialect)).isGreaterThan(first);
		}
	}

	@Test
	void oracleStatementsAreUnderstoodInItsMode() throws Exception {
		H2Memory oracle = new H2Memory(";MODE=Oracle");
		oracle.execute("CREATE ALIAS SYS_EXTRACT_UTC FOR '%s.utc'".formatted(ForeignFunctions.class.getName()));
		run(oracle, JdbcDialect.ORACLE);
		try (HikariDataSource pool = oracle.pool(1);
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			assertThat(read(statement, JdbcDialect.ORACLE)).isCloseTo(System.currentTimeMillis() * 1000,
					within(2_000_000L));
		}
	}

	@Test
	void sqlServerStatementsAreUnderstoodInItsMode() {
		H2Memory sqlServer = new H2Memory(";MODE=MSSQLServer");
		sqlServer.execute("CREATE ALIAS DATEDIFF_BIG FOR '%s.difference'".formatted(ForeignFunctions.class.getName()));
		sqlServer.execute("CREATE ALIAS SYSUTCDATETIME FOR '%s.now'".formatted(ForeignFunctions.class.getName()));
		sqlServer.execute("CREATE CONSTANT MICROSECOND VALUE 'MICROSECOND'");
		run(sqlServer, JdbcDialect.SQLSERVER);
	}

	@Test
	void whatLocksTheEpochWaitsForNobody() {
		for (JdbcDialect dialect : JdbcDialect.values()) {
			String sql = new LeaseStatements(dialect, new LeaseTables("T")).lockEpochs(2);
			assertThat(sql).isEqualTo((dialect == JdbcDialect.SQLSERVER)
					? "SELECT ELECTION, TOKEN FROM T_EPOCH WITH (XLOCK, ROWLOCK, READPAST) WHERE ELECTION IN (?, ?)"
					: "SELECT ELECTION, TOKEN FROM T_EPOCH WHERE ELECTION IN (?, ?) FOR UPDATE SKIP LOCKED");
		}
	}

	@Test
	void whatChecksATokenLocksTheEpoch() {
		for (JdbcDialect dialect : JdbcDialect.values()) {
			String sql = new LeaseStatements(dialect, new LeaseTables("T")).lockEpochShared(null);
			assertThat(sql).isEqualTo(switch (dialect) {
				case POSTGRESQL, MYSQL -> "SELECT TOKEN FROM T_EPOCH WHERE ELECTION = ? FOR SHARE";
				case MARIADB -> "SELECT TOKEN FROM T_EPOCH WHERE ELECTION = ? LOCK IN SHARE MODE";
				case H2, ORACLE -> "SELECT TOKEN FROM T_EPOCH WHERE ELECTION = ? FOR UPDATE";
				case SQLSERVER -> "SELECT TOKEN FROM T_EPOCH WITH (REPEATABLEREAD, ROWLOCK) WHERE ELECTION = ?";
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void theScriptOfTheFenceIsPartOfTheWholeOne(JdbcDialect dialect) throws IOException {
		String fence = new ClassPathResource(
				"io/leaderelection/jdbc/schemas/v1/fence-%s.sql".formatted(dialect.platform()))
			.getContentAsString(StandardCharsets.UTF_8);
		assertThat(fence).contains("LEADER_ELECTION_EPOCH (").doesNotContain("CANDIDATE");
		assertThat(script(dialect)).contains(fence.strip());
	}

	@Test
	void failuresAreToldApart() {
		assertThat(JdbcDialect.ORACLE.isMissingTable(new SQLException("", "42000", 942))).isTrue();
		assertThat(JdbcDialect.ORACLE.isMissingRight(new SQLException("", "42000", 1031))).isTrue();
		assertThat(JdbcDialect.SQLSERVER.isMissingTable(new SQLException("", "S0002", 208))).isTrue();
		assertThat(JdbcDialect.SQLSERVER.isMissingRight(new SQLException("", "S0005", 229))).isTrue();
		assertThat(JdbcDialect.SQLSERVER.isMissingTable(new SQLException("deadlock", "40001", 1205))).isFalse();
		assertThat(JdbcDialect.POSTGRESQL.isMissingRight(new SQLException("no state"))).isFalse();
	}

	/** Runs the script with its own text, and the life of a lease. */
	private static void run(H2Memory database, JdbcDialect dialect) {
		for (String statement : readScript(dialect).replaceAll("--.*", "").split(";")) {
			if (!statement.isBlank()) {
				database.execute(statement.replaceAll("IF OBJECT_ID.*? IS NULL ", "")
					.replace(" COLLATE Latin1_General_100_BIN2", ""));
			}
		}
		try (HikariDataSource pool = database.pool(2)) {
			JdbcLeaseStore store = JdbcLeaseStore.on(pool).dialect(dialect).build();
			store.validate();
			LeaseLifecycle.on(store, Duration.ofSeconds(10));
			lifeOfAFence(JdbcFence.on(pool).dialect(dialect).build(), pool);
		}
	}

	private static void lifeOfAFence(JdbcFence fence, DataSource dataSource) {
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		fence.validate();
		for (long token = 1; token <= 2; token++) {
			FencingToken present = new FencingToken("fenced", token);
			transaction.executeWithoutResult((status) -> fence.check(present));
			fence.announce(present);
		}
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> fence.check(new FencingToken("fenced", 1))));
	}

	private static String readScript(JdbcDialect dialect) {
		try {
			return script(dialect);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String script(JdbcDialect dialect) throws IOException {
		return new ClassPathResource("io/leaderelection/jdbc/schemas/v1/schema-%s.sql".formatted(dialect.platform()))
			.getContentAsString(StandardCharsets.UTF_8);
	}

	private static long read(Statement statement, JdbcDialect dialect) throws SQLException {
		try (ResultSet rows = statement.executeQuery(dialect.selectNow())) {
			rows.next();
			return rows.getLong(1);
		}
	}

}
