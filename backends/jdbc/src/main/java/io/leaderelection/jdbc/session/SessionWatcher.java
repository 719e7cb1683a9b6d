package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.leaderelection.jdbc.session.LeadingSessions.Slice;
import io.leaderelection.jdbc.wakeup.NotificationConnection;
import io.leaderelection.jdbc.wakeup.WakeUpListeners;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the end of the sessions that lead, on its own thread and connection, and
 * wakes this node up.
 *
 * <p>
 * The statement waits for the lock on one key, in slices: a waiting statement holds a
 * snapshot, which delays {@code CREATE INDEX CONCURRENTLY} and vacuum. The statement
 * catches the timeout that ends a slice, so that the server does not log it. A slice is
 * shorter than the time after which the server logs a waiting or slow statement. After
 * each slice, all keys are tried.
 */
final class SessionWatcher implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(SessionWatcher.class);

	private static final Duration LONGEST_SLICE = Duration.ofMillis(500);

	private static final Duration SHORTEST_SLICE = Duration.ofMillis(50);

	/** If there is no session to wait for, the connection is closed after this time. */
	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final Duration RETRY = Duration.ofSeconds(1);

	private static final String LOGGED_AFTER = "SELECT MIN(CAST(setting AS INTEGER)) FROM pg_settings "
			+ "WHERE name IN ('deadlock_timeout', 'log_min_duration_statement', 'log_min_duration_sample') "
			+ "AND CAST(setting AS INTEGER) > 0";

	private static final String WAIT = "DO $$ BEGIN PERFORM set_config('lock_timeout', '%d', TRUE); "
			+ "PERFORM pg_advisory_xact_lock_shared(%d); EXCEPTION WHEN lock_not_available THEN NULL; END $$";

	private static final String TRY = "SELECT k FROM unnest(CAST(ARRAY[%s] AS BIGINT[])) AS k WHERE "
			+ SessionConditions.tryLock("k");

	private final DataSource dataSource;

	private final LeadingSessions leading;

	private final WakeUpListeners listeners;

	private volatile boolean closed;

	private volatile @Nullable Connection connection;

	private Duration longestSlice = LONGEST_SLICE;

	private boolean failing;

	SessionWatcher(DataSource dataSource, LeadingSessions leading, WakeUpListeners listeners) {
		this.dataSource = dataSource;
		this.leading = leading;
		this.listeners = listeners;
	}

	void start() {
		Thread thread = new Thread(this::run, "leader-election-sessions");
		thread.setDaemon(true);
		thread.start();
	}

	private void run() {
		try {
			while (!this.closed) {
				keepWatch();
			}
		}
		catch (InterruptedException ex) {
			// only this class can interrupt the thread
			this.closed = true;
		}
		disconnect();
	}

	private void keepWatch() throws InterruptedException {
		try {
			Slice slice = this.leading.next(IDLE, () -> this.closed);
			if (slice == null) {
				disconnect();
			}
			else if (!slice.keys().isEmpty()) {
				this.leading.ended(await(connected(), slice));
				succeeded();
			}
			for (String election : this.leading.announce()) {
				this.listeners.forEach((listener) -> listener.wakeUp(election));
			}
		}
		catch (SQLException ex) {
			disconnect();
			failed(ex);
		}
	}

	private Connection connected() throws SQLException {
		Connection present = this.connection;
		if (present == null) {
			present = NotificationConnection.open(this.dataSource);
			this.connection = present;
			// what runs for the first time does so now, and not when everybody waits for
			// it
			this.listeners.forEach(WakeUps::wakeUpAll);
			prepare(present);
		}
		return present;
	}

	private void prepare(Connection opened) throws SQLException {
		try (Statement statement = opened.createStatement()) {
			opened.setNetworkTimeout(Runnable::run, (int) IDLE.toMillis());
			statement.execute("SET application_name = 'leader-election sessions'");
			statement.execute("SET statement_timeout = 0");
			// in case this process is not there any more, and the server has not heard of
			// it
			statement.execute("SET idle_session_timeout = %d".formatted(2 * IDLE.toMillis()));
			try (ResultSet row = statement.executeQuery(LOGGED_AFTER)) {
				Duration logged = row.next() ? Duration.ofMillis(row.getLong(1)) : LONGEST_SLICE;
				this.longestSlice = slice(logged.multipliedBy(4).dividedBy(5));
			}
		}
	}

	private static Duration slice(Duration unlogged) {
		Duration atLeast = (unlogged.compareTo(SHORTEST_SLICE) > 0) ? unlogged : SHORTEST_SLICE;
		return (atLeast.compareTo(LONGEST_SLICE) < 0) ? atLeast : LONGEST_SLICE;
	}

	private Collection<Long> await(Connection present, Slice slice) throws SQLException {
		Duration wait = (slice.longest().compareTo(this.longestSlice) < 0) ? slice.longest() : this.longestSlice;
		Set<Long> ended = await(present, slice.target(), Math.max(1, wait.toMillis()),
				Stream.concat(slice.keys().stream(), Stream.of(slice.own())));
		if (ended.contains(slice.own())) {
			throw new SQLException("the own session has ended, or is one with another server");
		}
		return ended;
	}

	/**
	 * Waits for the end of a session, and says which sessions have ended.
	 * @param millis how long, at the most
	 */
	static Set<Long> await(Connection connection, long key, long millis, Stream<Long> keys) throws SQLException {
		String all = keys.map(String::valueOf).collect(Collectors.joining(", "));
		try (Statement statement = connection.createStatement()) {
			boolean rows = statement.execute(WAIT.formatted(millis, key) + "; " + TRY.formatted(all));
			while (!rows) {
				rows = statement.getMoreResults();
			}
			Set<Long> ended = new HashSet<>();
			try (ResultSet result = statement.getResultSet()) {
				while (result.next()) {
					ended.add(result.getLong(1));
				}
			}
			return ended;
		}
	}

	private void succeeded() {
		if (this.failing) {
			this.failing = false;
			logger.info("The end of other sessions is noticed at once again");
		}
	}

	private void failed(SQLException ex) throws InterruptedException {
		if (!this.failing && !this.closed) {
			this.failing = true;
			logger.warn("The end of other sessions is noticed later, when their leases end: " + ex.getMessage());
		}
		this.leading.pause(RETRY, () -> this.closed);
	}

	private void disconnect() {
		Connection present = this.connection;
		this.connection = null;
		if (present != null) {
			NotificationConnection.abort(present);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		Connection present = this.connection;
		if (present != null) {
			NotificationConnection.abort(present);
		}
		this.leading.disturb();
	}

}
