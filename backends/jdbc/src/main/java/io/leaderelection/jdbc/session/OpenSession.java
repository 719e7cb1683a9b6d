package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import org.postgresql.PGConnection;

/**
 * A session that holds the advisory lock on a key of its own. The server ends the session
 * if it is silent for longer than the timeout.
 */
final class OpenSession {

	/** The first that ends idle sessions. */
	private static final int LEAST_VERSION = 140_000;

	/** Digits that every reader of a row takes for one number. */
	private static final long KEYS = 1_000_000_000_000_000_000L;

	private static final String IDENTIFY = "SELECT pg_backend_pid(), CAST(current_setting('server_version_num') AS INTEGER), "
			+ "pg_is_in_recovery(), CASE WHEN pg_is_in_recovery() THEN '' "
			+ "ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, "
			+ "CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS BIGINT)";

	private final SessionMark mark;

	private volatile Proof proof;

	private OpenSession(SessionMark mark, Proof proof) {
		this.mark = mark;
		this.proof = proof;
	}

	/**
	 * Begins a session on a connection.
	 * @throws UnusableSessionException if this will never be possible here
	 */
	static OpenSession on(Connection connection, Duration timeout) throws SQLException {
		return on(connection, timeout, () -> ThreadLocalRandom.current().nextLong(1, KEYS));
	}

	static OpenSession on(Connection connection, Duration timeout, LongSupplier keys) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			SessionMark unlocked = identify(connection, statement);
			statement.execute("SET application_name = 'leader-election session'");
			long key = lock(statement, keys);
			SessionMark mark = new SessionMark(unlocked.timeline(), unlocked.server(), key);
			return new OpenSession(mark, Proof.with(connection, timeout));
		}
	}

	private static SessionMark identify(Connection connection, Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(IDENTIFY)) {
			row.next();
			if (row.getInt(1) != connection.unwrap(PGConnection.class).getBackendPID()) {
				throw UnusableSessionException.pooled();
			}
			if (row.getInt(2) < LEAST_VERSION) {
				throw UnusableSessionException.oldServer(connection.getMetaData().getDatabaseProductVersion());
			}
			if (row.getBoolean(3)) {
				throw new SQLException("the server is a standby, which leases cannot be bound to", "25006");
			}
			return new SessionMark(row.getString(4), row.getLong(5), 0);
		}
	}

	/** Skips keys that another session has locked. */
	private static long lock(Statement statement, LongSupplier keys) throws SQLException {
		while (true) {
			long key = keys.getAsLong();
			try (ResultSet row = statement.executeQuery("SELECT pg_try_advisory_lock(%d)".formatted(key))) {
				row.next();
				if (row.getBoolean(1)) {
					return key;
				}
			}
		}
	}

	SessionMark mark() {
		return this.mark;
	}

	Duration timeout() {
		return this.proof.timeout;
	}

	/** How long until the server should hear of this session again. */
	Duration silence() {
		return this.proof.timeout.dividedBy(10).minus(this.proof.age(Moment.now()));
	}

	/** Lets the server hear of this session, and sets the timeout if it is another. */
	void prove(Connection connection, Duration timeout) throws SQLException {
		this.proof = timeout.equals(this.proof.timeout) ? this.proof.again(connection)
				: Proof.with(connection, timeout);
	}

	/** How long the server keeps this session at least, from a moment on. */
	Duration lasts(Moment from) {
		Proof present = this.proof;
		return present.timeout.minus(present.age(from));
	}

	/**
	 * The last sign of life that the server has answered to: from then on it counts, or
	 * from later on.
	 */
	private record Proof(Moment sent, Duration timeout) {

		/** A server that is silent for so long may have ended the session already. */
		static Proof with(Connection connection, Duration timeout) throws SQLException {
			connection.setNetworkTimeout(Runnable::run, (int) timeout.toMillis());
			return by(connection, "SET idle_session_timeout = %d".formatted(timeout.toMillis()), timeout);
		}

		Proof again(Connection connection) throws SQLException {
			return by(connection, "SELECT 1", this.timeout);
		}

		private static Proof by(Connection connection, String sql, Duration timeout) throws SQLException {
			Moment sent = Moment.now();
			try (Statement statement = connection.createStatement()) {
				statement.execute(sql);
			}
			return new Proof(sent, timeout);
		}

		Duration age(Moment now) {
			return now.since(this.sent);
		}

	}

	/**
	 * A moment on both clocks of this machine: one stands still when it is suspended, the
	 * other may be set.
	 */
	record Moment(long nanos, long wallMillis) {

		static Moment now() {
			return new Moment(System.nanoTime(), System.currentTimeMillis());
		}

		/** By the clock that has moved further, and never less. */
		Duration since(Moment earlier) {
			Duration byNanos = Duration.ofNanos(this.nanos - earlier.nanos);
			// each reading in milliseconds may be almost one off
			Duration byWall = Duration.ofMillis(this.wallMillis - earlier.wallMillis + 1);
			return (byNanos.compareTo(byWall) > 0) ? byNanos : byWall;
		}

	}

}
