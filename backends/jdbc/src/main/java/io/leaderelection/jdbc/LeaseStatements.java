package io.leaderelection.jdbc;

import java.time.Duration;
import java.util.Collections;

import io.leaderelection.jdbc.session.SessionConditions;
import io.leaderelection.jdbc.sql.LeaseTables;
import org.jspecify.annotations.Nullable;

/**
 * The text of every statement. What stands for "now" is the database's clock.
 */
final class LeaseStatements {

	/**
	 * The most elections in one statement: SQL Server takes 2100 parameters, Oracle a
	 * list of 1000.
	 */
	static final int MOST_ELECTIONS = 512;

	private static final String HELD_BY = "OWNER_NODE = ? AND OWNER_INCARNATION = ? AND EXPIRES_AT > ";

	private final JdbcDialect dialect;

	private final LeaseTables tables;

	private final SessionConditions sessions;

	private final String now;

	LeaseStatements(JdbcDialect dialect, LeaseTables tables) {
		this(dialect, tables, SessionConditions.NONE);
	}

	private LeaseStatements(JdbcDialect dialect, LeaseTables tables, SessionConditions sessions) {
		this.dialect = dialect;
		this.tables = tables;
		this.sessions = sessions;
		this.now = dialect.now();
	}

	/** The statements on leases that are bound to sessions. */
	LeaseStatements with(SessionConditions sessions) {
		return new LeaseStatements(this.dialect, this.tables, sessions);
	}

	JdbcDialect dialect() {
		return this.dialect;
	}

	LeaseTables tables() {
		return this.tables;
	}

	SessionConditions sessions() {
		return this.sessions;
	}

	String now() {
		return this.dialect.selectNow();
	}

	/** Parameters: node id, elections. */
	String look(int elections) {
		return "%s FROM %s l %s WHERE l.ELECTION IN (%s)".formatted(selectLease(), this.tables.lease(), joinStandby(),
				placeholders(elections));
	}

	private String selectLease() {
		return ("SELECT l.ELECTION, l.TOKEN, l.OWNER_NODE, l.OWNER_INCARNATION, l.RESERVED_FOR, l.EXPIRES_AT, "
				+ "l.LEASE_DURATION, c.STANDBY_UNTIL, %s AS DATABASE_TIME, %s AS SESSION_ENDED")
			.formatted(this.now, this.sessions.ended("l.OWNER_INCARNATION"));
	}

	private String joinStandby() {
		return "LEFT JOIN %s c ON c.ELECTION = l.ELECTION AND c.NODE_ID = ?".formatted(this.tables.candidate());
	}

	/** Whether the next statement can be used. */
	boolean looksAndTakes() {
		return this.dialect == JdbcDialect.POSTGRESQL;
	}

	/**
	 * Looks, and takes at once what is free and has both of its rows, in one round trip.
	 * What was taken has a GRANTED; all other columns are as they were before. A row that
	 * was changed since the statement began is seen as it is when it is locked, or is not
	 * written to.
	 *
	 * <p>
	 * Parameters: for each election: name, token floor, duration; then node id, node id,
	 * incarnation, node id, node id, node id.
	 */
	String lookAndTake(int elections) {
		String owner = "l.OWNER_INCARNATION";
		String free = "(l.EXPIRES_AT <= %s OR l.RESERVED_FOR = ?%s)".formatted(this.now, this.sessions.orEnded(owner));
		return ("WITH asked (ELECTION, FLOOR, DURATION) AS (VALUES %s), "
				+ "free AS (SELECT l.ELECTION, l.TOKEN AS SEEN, GREATEST(l.TOKEN, e.TOKEN, a.FLOOR) AS LAST, a.DURATION "
				+ "FROM asked a JOIN %s l ON l.ELECTION = a.ELECTION JOIN %s e ON e.ELECTION = a.ELECTION "
				+ "WHERE %s%s%s AND GREATEST(l.TOKEN, e.TOKEN, a.FLOOR) < %d FOR UPDATE OF e SKIP LOCKED), "
				+ "taken AS (UPDATE %s l SET TOKEN = GREATEST(free.LAST + 1, %s), OWNER_NODE = ?, OWNER_INCARNATION = ?, "
				+ "RESERVED_FOR = NULL, EXPIRES_AT = %s + free.DURATION, LEASE_DURATION = free.DURATION "
				+ "FROM free WHERE l.ELECTION = free.ELECTION AND l.TOKEN = free.SEEN AND %s "
				+ "RETURNING l.ELECTION, l.TOKEN), "
				+ "raised AS (UPDATE %s e SET TOKEN = taken.TOKEN FROM taken WHERE e.ELECTION = taken.ELECTION), "
				+ "gone AS (DELETE FROM %s c USING taken WHERE c.ELECTION = taken.ELECTION AND c.NODE_ID = ?) "
				+ "%s, taken.TOKEN AS GRANTED FROM %s l %s LEFT JOIN taken ON taken.ELECTION = l.ELECTION "
				+ "WHERE l.ELECTION IN (SELECT ELECTION FROM asked)")
			.formatted(repeat("(CAST(? AS VARCHAR), CAST(? AS BIGINT), CAST(? AS BIGINT))", ", ", elections),
					this.tables.lease(), this.tables.epoch(), free, this.sessions.andAlive(),
					this.sessions.andOfThisTimeline(owner), Long.MAX_VALUE, this.tables.lease(), this.now, this.now,
					free, this.tables.epoch(), this.tables.candidate(), selectLease(), this.tables.lease(),
					joinStandby());
	}

	/** Parameters: elections. */
	String lockEpochs(int elections) {
		return this.dialect.lockUnlessLocked("ELECTION, TOKEN", this.tables.epoch(),
				"ELECTION IN (%s)".formatted(placeholders(elections)));
	}

	/**
	 * The session whose open transaction has locked an epoch row, or, if several have,
	 * the oldest transaction that has locked any. Parameter: election.
	 */
	@Nullable String blockingSession() {
		if (this.dialect != JdbcDialect.POSTGRESQL) {
			return null;
		}
		return ("SELECT a.pid, a.usename, a.application_name, a.client_addr, a.state, "
				+ "CAST(EXTRACT(EPOCH FROM clock_timestamp() - a.state_change) AS BIGINT) AS SECONDS, "
				+ "EXISTS (SELECT 1 FROM pg_locks x JOIN %1$s e ON e.xmax = x.transactionid "
				+ "WHERE x.pid = l.pid AND x.granted AND e.ELECTION = ?) AS CERTAIN "
				+ "FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'relation' AND l.granted "
				+ "AND l.relation = CAST('%1$s' AS regclass) AND l.mode IN ('RowShareLock', 'RowExclusiveLock') "
				+ "AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
				+ "AND l.pid <> pg_backend_pid() ORDER BY CERTAIN DESC, a.xact_start LIMIT 1")
			.formatted(this.tables.epoch());
	}

	/** Parameters: elections. */
	String readEpochs(int elections) {
		return "SELECT ELECTION, TOKEN FROM %s WHERE ELECTION IN (%s)".formatted(this.tables.epoch(),
				placeholders(elections));
	}

	/** Parameters: token, election, token. */
	String raiseEpoch() {
		return "UPDATE %s SET TOKEN = ? WHERE ELECTION = ? AND TOKEN < ?".formatted(this.tables.epoch());
	}

	/**
	 * Parameters: election.
	 * @param idleLimit how long the transaction may be idle from now on, if the database
	 * can limit that; none for no limit
	 */
	String lockEpochShared(@Nullable Duration idleLimit) {
		boolean limited = idleLimit != null && this.dialect == JdbcDialect.POSTGRESQL;
		String columns = limited ? "TOKEN, " + limitIdle(Math.max(1, idleLimit.toMillis())) : "TOKEN";
		return this.dialect.lockShared(columns, this.tables.epoch(), "ELECTION = ?");
	}

	/** Until the end of the transaction, and unless it is limited to less already. */
	private static String limitIdle(long millis) {
		return ("set_config('idle_in_transaction_session_timeout', "
				+ "CASE WHEN CAST(current_setting('idle_in_transaction_session_timeout') AS INTERVAL) "
				+ "BETWEEN INTERVAL '1 microsecond' AND INTERVAL '%1$d milliseconds' "
				+ "THEN current_setting('idle_in_transaction_session_timeout') ELSE '%1$d' END, true)")
			.formatted(millis);
	}

	/** Parameters: election, token. */
	@Nullable String raiseOrInsertEpoch() {
		return this.dialect.raiseOrInsert(this.tables.epoch());
	}

	/** Parameters: election, token. */
	String insertEpoch() {
		return "INSERT INTO %s (ELECTION, TOKEN) VALUES (?, ?)".formatted(this.tables.epoch());
	}

	/**
	 * Parameters: token, node id, incarnation, duration, duration, election, token seen,
	 * node id.
	 */
	String take() {
		return "%s WHERE ELECTION = ? AND TOKEN = ? AND (EXPIRES_AT <= %s OR RESERVED_FOR = ?%s)%s".formatted(write(),
				this.now, this.sessions.orEnded("OWNER_INCARNATION"),
				this.sessions.andOfThisTimeline("OWNER_INCARNATION"));
	}

	/**
	 * Parameters: token, node id, incarnation, duration, duration, election, token.
	 */
	String rewrite() {
		return "%s WHERE ELECTION = ? AND TOKEN < ?".formatted(write());
	}

	private String write() {
		return ("UPDATE %s SET TOKEN = ?, OWNER_NODE = ?, OWNER_INCARNATION = ?, RESERVED_FOR = NULL, "
				+ "EXPIRES_AT = %s + ?, LEASE_DURATION = ?")
			.formatted(this.tables.lease(), this.now);
	}

	/** Parameters: token, node id, incarnation, duration, duration, election. */
	String insertLease() {
		return ("INSERT INTO %s (TOKEN, OWNER_NODE, OWNER_INCARNATION, EXPIRES_AT, LEASE_DURATION, ELECTION) "
				+ "VALUES (?, ?, ?, %s + ?, ?, ?)")
			.formatted(this.tables.lease(), this.now);
	}

	/** Parameters: duration, duration, node id, incarnation, election, token. */
	String renew() {
		return "UPDATE %s SET EXPIRES_AT = %s + ?, LEASE_DURATION = ? WHERE %s%s AND ELECTION = ? AND TOKEN = ?%s"
			.formatted(this.tables.lease(), this.now, HELD_BY, this.now, this.sessions.andAlive());
	}

	/**
	 * Parameters: node id, incarnation, and for each lease: election, token, duration. A
	 * lease whose duration has changed is left to {@link #renew()}.
	 */
	String renewAll(int leases) {
		return "UPDATE %s SET EXPIRES_AT = %s + LEASE_DURATION WHERE %s%s AND (%s)%s".formatted(this.tables.lease(),
				this.now, HELD_BY, this.now,
				repeat("(ELECTION = ? AND TOKEN = ? AND LEASE_DURATION = ?)", " OR ", leases),
				this.sessions.andAlive());
	}

	/** Parameters: node id, incarnation, and for each lease: election, token. */
	String release(int leases) {
		return waking("UPDATE %s SET OWNER_NODE = NULL, OWNER_INCARNATION = %s, EXPIRES_AT = 0 WHERE %s%s AND (%s)"
			.formatted(this.tables.lease(), this.sessions.nobody(), HELD_BY, this.now,
					repeat("(ELECTION = ? AND TOKEN = ?)", " OR ", leases)));
	}

	/** Parameters: target, grace, grace, node id, incarnation, election, token. */
	String transfer() {
		return waking(("UPDATE %s SET OWNER_NODE = NULL, OWNER_INCARNATION = %s, RESERVED_FOR = ?, "
				+ "EXPIRES_AT = %s + ?, LEASE_DURATION = ? WHERE %s%s AND ELECTION = ? AND TOKEN = ?")
			.formatted(this.tables.lease(), this.sessions.nobody(), this.now, HELD_BY, this.now));
	}

	/**
	 * Keeps a lease that a server of another timeline has written without a holder for a
	 * while: that server may have granted it since. Parameters: how long, how long,
	 * election, token seen.
	 */
	String quarantine() {
		return ("UPDATE %s SET OWNER_NODE = NULL, OWNER_INCARNATION = %s, RESERVED_FOR = NULL, "
				+ "EXPIRES_AT = GREATEST(EXPIRES_AT, %s + ?), LEASE_DURATION = ? WHERE ELECTION = ? AND TOKEN = ?%s%s")
			.formatted(this.tables.lease(), this.sessions.nobody(), this.now,
					this.sessions.andOfAnotherTimeline("OWNER_INCARNATION"), this.sessions.andAlive());
	}

	/** Sends the hints with the change, and only if there is one. */
	private String waking(String update) {
		if (this.dialect != JdbcDialect.POSTGRESQL) {
			return update;
		}
		return "WITH changed AS (%s RETURNING ELECTION) SELECT pg_notify('%s', ELECTION) FROM changed".formatted(update,
				this.tables.channel());
	}

	/** Parameters: election. */
	String read() {
		return ("SELECT l.TOKEN, l.OWNER_NODE, l.OWNER_INCARNATION, l.EXPIRES_AT, l.LEASE_DURATION, %s AS DATABASE_TIME, c.NODE_ID "
				+ "FROM %s l LEFT JOIN %s c ON c.ELECTION = l.ELECTION AND c.STANDBY_UNTIL > %s WHERE l.ELECTION = ?")
			.formatted(this.now, this.tables.lease(), this.tables.candidate(), this.now);
	}

	/** Parameters: how long, node id, elections. */
	String standBy(int elections) {
		return "UPDATE %s SET STANDBY_UNTIL = %s + ? WHERE NODE_ID = ? AND ELECTION IN (%s)"
			.formatted(this.tables.candidate(), this.now, placeholders(elections));
	}

	/** Parameters: election, node id, how long. */
	String insertStandby() {
		return "INSERT INTO %s (ELECTION, NODE_ID, STANDBY_UNTIL) VALUES (?, ?, %s + ?)"
			.formatted(this.tables.candidate(), this.now);
	}

	/** Parameters: node id, elections. */
	String leaveStandby(int elections) {
		return "DELETE FROM %s WHERE NODE_ID = ? AND ELECTION IN (%s)".formatted(this.tables.candidate(),
				placeholders(elections));
	}

	/** Parameters: elections. */
	String forgetStandby(int elections) {
		return "DELETE FROM %s WHERE STANDBY_UNTIL <= %s AND ELECTION IN (%s)".formatted(this.tables.candidate(),
				this.now, placeholders(elections));
	}

	/** Inserts nothing, but needs what an insert needs. */
	String insertNothing(String table) {
		String columns = table.equals(this.tables.lease())
				? "ELECTION, TOKEN, OWNER_NODE, OWNER_INCARNATION, RESERVED_FOR, EXPIRES_AT, LEASE_DURATION"
				: (table.equals(this.tables.epoch()) ? "ELECTION, TOKEN" : "ELECTION, NODE_ID, STANDBY_UNTIL");
		return "INSERT INTO %1$s (%2$s) SELECT %2$s FROM %1$s WHERE 1 = 0".formatted(table, columns);
	}

	private static String placeholders(int count) {
		return repeat("?", ", ", count);
	}

	private static String repeat(String text, String separator, int count) {
		return String.join(separator, Collections.nCopies(count, text));
	}

}
