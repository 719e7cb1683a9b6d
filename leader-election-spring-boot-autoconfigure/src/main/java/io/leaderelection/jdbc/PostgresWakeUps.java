package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hints by PostgreSQL's notifications, on one connection and one thread. A connection
 * that was lost is replaced, and everybody is woken up then.
 */
final class PostgresWakeUps implements Watch {

	private static final Log logger = LogFactory.getLog(PostgresWakeUps.class);

	/** The names of elections have no control characters, so this is none. */
	private static final String ECHO = "\u0001";

	private static final Duration ECHO_TIMEOUT = Duration.ofSeconds(1);

	/** A peer that vanished without a word is noticed after this time. */
	private static final Duration SILENCE = Duration.ofSeconds(30);

	private static final int PROOF_OF_LIFE_SECONDS = 5;

	private static final long FIRST_RETRY_MILLIS = 50;

	private static final long LAST_RETRY_MILLIS = 5000;

	private final DataSource dataSource;

	private final String channel;

	private final WakeUps wakeUps;

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile Connection connection;

	private PostgresWakeUps(DataSource dataSource, String channel, WakeUps wakeUps) throws SQLException {
		this.dataSource = dataSource;
		this.channel = channel;
		this.wakeUps = wakeUps;
		this.connection = connect();
	}

	/**
	 * Begins to listen, if notifications arrive at all.
	 * @param sender sends a notification to try it
	 * @param whyNot told if they do not, and will not later
	 */
	static Optional<Watch> open(DataSource dataSource, String channel, WakeUps wakeUps, Sender sender,
			Consumer<@Nullable String> whyNot) throws SQLException {
		PostgresWakeUps opened;
		try {
			opened = new PostgresWakeUps(dataSource, channel, wakeUps);
		}
		catch (SQLException ex) {
			if (!SqlFailures.isStatementRefused(ex)) {
				throw ex;
			}
			whyNot.accept(ex.getMessage());
			return Optional.empty();
		}
		if (!opened.hearsItselfOrCloses(sender)) {
			whyNot
				.accept(("a notification on channel \"%s\" did not arrive, as if it had been sent through a PgBouncer "
						+ "in transaction mode")
					.formatted(channel));
			return Optional.empty();
		}
		Thread thread = new Thread(opened::listen, "leader-election-wake-ups");
		thread.setDaemon(true);
		thread.start();
		return Optional.of(opened);
	}

	private Connection connect() throws SQLException {
		Connection opened = this.dataSource.getConnection();
		try (Statement statement = opened.createStatement()) {
			opened.setAutoCommit(true);
			if (!opened.isWrapperFor(PGConnection.class)) {
				throw new SQLFeatureNotSupportedException("the driver is not org.postgresql:postgresql", "0A000");
			}
			statement.execute("LISTEN \"" + this.channel + "\"");
			return opened;
		}
		catch (SQLException ex) {
			try (opened) {
				throw ex;
			}
		}
	}

	private boolean hearsItselfOrCloses(Sender sender) throws SQLException {
		boolean heard = false;
		try {
			heard = hearsItself(sender);
			return heard;
		}
		finally {
			if (!heard) {
				close();
			}
		}
	}

	private boolean hearsItself(Sender sender) throws SQLException {
		String echo = ECHO + UUID.randomUUID();
		sender.send(this.channel, echo);
		long deadline = System.nanoTime() + ECHO_TIMEOUT.toNanos();
		long left = ECHO_TIMEOUT.toMillis();
		while (left > 0) {
			PGNotification[] received = receive(left);
			if (Arrays.stream(received).anyMatch((notification) -> echo.equals(notification.getParameter()))) {
				return true;
			}
			left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
		}
		return false;
	}

	private PGNotification[] receive(long timeoutMillis) throws SQLException {
		PGNotification[] received = this.connection.unwrap(PGConnection.class).getNotifications((int) timeoutMillis);
		return (received != null) ? received : new PGNotification[0];
	}

	private void listen() {
		while (!isClosed()) {
			try {
				passOn(receive(SILENCE.toMillis()));
			}
			catch (SQLException ex) {
				if (!isClosed()) {
					logger.warn("Wake-ups have stopped, so a free lease is noticed later: " + ex.getMessage());
					reconnect();
				}
			}
		}
	}

	private void passOn(PGNotification[] received) throws SQLException {
		if (received.length == 0 && !this.connection.isValid(PROOF_OF_LIFE_SECONDS)) {
			throw new SQLException("the server does not answer");
		}
		for (PGNotification notification : received) {
			if (!notification.getParameter().startsWith(ECHO)) {
				hint(notification.getParameter());
			}
		}
	}

	/** Who takes the hints must not end them. */
	private void hint(@Nullable String election) {
		try {
			if (election != null) {
				this.wakeUps.wakeUp(election);
			}
			else {
				this.wakeUps.wakeUpAll();
			}
		}
		catch (RuntimeException ex) {
			logger.error("A wake-up was not taken", ex);
		}
	}

	private void reconnect() {
		abort(this.connection);
		for (long delay = FIRST_RETRY_MILLIS; !awaitClosed(delay); delay = Math.min(2 * delay, LAST_RETRY_MILLIS)) {
			try {
				this.connection = connect();
				if (isClosed()) {
					abort(this.connection);
				}
				logger.info("Wake-ups are back");
				hint(null);
				return;
			}
			catch (SQLException ex) {
				logger.debug("Wake-ups are not back yet", ex);
			}
		}
	}

	private boolean awaitClosed(long millis) {
		try {
			return this.closed.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			// nobody but this class knows the thread
			this.closed.countDown();
			return true;
		}
	}

	private boolean isClosed() {
		return this.closed.getCount() == 0;
	}

	@Override
	public void close() {
		this.closed.countDown();
		abort(this.connection);
	}

	/** Closing would wait for the reader. */
	private static void abort(Connection connection) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException ex) {
			logger.debug("The connection for wake-ups could not be closed", ex);
		}
	}

	/**
	 * Sends a notification from another connection.
	 */
	interface Sender {

		void send(String channel, String payload);

	}

}
