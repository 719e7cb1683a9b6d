package io.leaderelection.jdbc;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What the databases do not have in common.
 */
public enum JdbcDialect {

	/** PostgreSQL 9.6 or later. */
	POSTGRESQL("PostgreSQL", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
			Set.of("42P01", "42703", "3F000"), Set.of("42501", "25006")) {

		@Override
		String raiseOrInsert(String table) {
			return "INSERT INTO %1$s AS e (ELECTION, TOKEN) VALUES (?, ?) ON CONFLICT (ELECTION) DO UPDATE SET TOKEN = EXCLUDED.TOKEN WHERE e.TOKEN < EXCLUDED.TOKEN"
				.formatted(table);
		}

	},

	/** MySQL 8.0.17 or later. */
	MYSQL("MySQL", Sql.MYSQL_NOW, Sql.MYSQL_MISSING, Sql.MYSQL_DENIED) {

		@Override
		String raiseOrInsert(String table) {
			return Sql.MYSQL_RAISE.formatted(table);
		}

	},

	/** MariaDB 10.6 or later. */
	MARIADB("MariaDB", Sql.MYSQL_NOW, Sql.MYSQL_MISSING, Sql.MYSQL_DENIED) {

		@Override
		String lockShared(String columns, String table, String condition) {
			return "SELECT %s FROM %s WHERE %s LOCK IN SHARE MODE".formatted(columns, table, condition);
		}

		@Override
		String raiseOrInsert(String table) {
			return Sql.MYSQL_RAISE.formatted(table);
		}

	},

	/** H2 2.2.220 or later. */
	H2("H2", "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP(6)) * 1000000 AS BIGINT)",
			Set.of("42S02", "42S03", "42S04", "42S22", "90079"), Set.of("90096", "90097")) {

		@Override
		String lockShared(String columns, String table, String condition) {
			return Sql.LOCK.formatted(columns, table, condition);
		}

	},

	/** SQL Server 2016 or later. */
	SQLSERVER("Microsoft SQL Server", "DATEDIFF_BIG(MICROSECOND, '19700101', SYSUTCDATETIME())", Set.of("208", "207"),
			Set.of("229", "230", "262", "3906")) {

		/** An update lock would be granted beside a shared one, and wait later. */
		@Override
		String lockUnlessLocked(String columns, String table, String condition) {
			return "SELECT %s FROM %s WITH (XLOCK, ROWLOCK, READPAST) WHERE %s".formatted(columns, table, condition);
		}

		/** Locks what it reads until the end, also where others read versions. */
		@Override
		String lockShared(String columns, String table, String condition) {
			return "SELECT %s FROM %s WITH (REPEATABLEREAD, ROWLOCK) WHERE %s".formatted(columns, table, condition);
		}

		@Override
		boolean tellsNamesApart(String name) {
			return !name.endsWith(" ");
		}

	},

	/** Oracle Database 12.2 or later. */
	ORACLE("Oracle", Sql.ORACLE_NOW, Set.of("942", "904"), Set.of("1031", "41900", "16000")) {

		@Override
		String selectNow() {
			return super.selectNow() + " FROM DUAL";
		}

		@Override
		String lockShared(String columns, String table, String condition) {
			return Sql.LOCK.formatted(columns, table, condition);
		}

	};

	private final String productName;

	private final String now;

	private final Set<String> missing;

	private final Set<String> denied;

	JdbcDialect(String productName, String now, Set<String> missing, Set<String> denied) {
		this.productName = productName;
		this.now = now;
		this.missing = missing;
		this.denied = denied;
	}

	static Optional<JdbcDialect> ofProduct(String productName) {
		return Arrays.stream(values()).filter((dialect) -> productName.startsWith(dialect.productName)).findFirst();
	}

	/** The name of the platform in the names of the scripts. */
	String platform() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The database's time in microseconds since 1970, in UTC: a local time would jump by
	 * an hour twice a year. Taken when the statement begins or later, never when an
	 * earlier transaction began.
	 */
	String now() {
		return this.now;
	}

	String selectNow() {
		return "SELECT " + this.now;
	}

	/** Locks the rows that are not locked, and skips the others. */
	String lockUnlessLocked(String columns, String table, String condition) {
		return "SELECT %s FROM %s WHERE %s FOR UPDATE SKIP LOCKED".formatted(columns, table, condition);
	}

	/**
	 * Reads rows as they are now, whatever the transaction has read before, and keeps
	 * others from changing them until it ends. Exclusively where there is no other way.
	 */
	String lockShared(String columns, String table, String condition) {
		return "SELECT %s FROM %s WHERE %s FOR SHARE".formatted(columns, table, condition);
	}

	/**
	 * Writes a token that is higher than the present one, or the first, in one statement,
	 * and locks the row exclusively. Parameters: election, token.
	 * @return the statement; {@code null} if it takes two, of which the second may fail
	 * without harm to the transaction
	 */
	@Nullable String raiseOrInsert(String table) {
		return null;
	}

	/** Whether the database can keep this name apart from one that looks like it. */
	boolean tellsNamesApart(String name) {
		return true;
	}

	boolean isMissingTable(SQLException ex) {
		return isOneOf(this.missing, ex);
	}

	boolean isMissingRight(SQLException ex) {
		return isOneOf(this.denied, ex);
	}

	private static boolean isOneOf(Set<String> codes, SQLException ex) {
		String state = (ex.getSQLState() != null) ? ex.getSQLState() : "";
		return codes.contains(state) || codes.contains(String.valueOf(ex.getErrorCode()));
	}

	/** Shared by constants, which cannot refer to fields of the enum. */
	private static final class Sql {

		static final String MYSQL_NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";

		static final String ORACLE_NOW = "(SELECT EXTRACT(DAY FROM t) * 86400000000 + EXTRACT(HOUR FROM t) * 3600000000"
				+ " + EXTRACT(MINUTE FROM t) * CAST(60000000 AS NUMBER(19)) + TRUNC(EXTRACT(SECOND FROM t) * 1000000) FROM "
				+ "(SELECT SYS_EXTRACT_UTC(SYSTIMESTAMP) - TIMESTAMP '1970-01-01 00:00:00' t FROM DUAL))";

		static final String LOCK = "SELECT %s FROM %s WHERE %s FOR UPDATE";

		static final String MYSQL_RAISE = "INSERT INTO %s (ELECTION, TOKEN) VALUES (?, ?) "
				+ "ON DUPLICATE KEY UPDATE TOKEN = GREATEST(TOKEN, VALUES(TOKEN))";

		static final Set<String> MYSQL_MISSING = Set.of("1146", "1054", "1049");

		static final Set<String> MYSQL_DENIED = Set.of("1142", "1143", "1044", "1290", "1836");

	}

}
