package io.leaderelection.jdbc.wakeup;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;

/**
 * Wake-ups by notifications of PostgreSQL, on one connection and one thread. A lost
 * connection is replaced, and then all candidates are woken up.
 */
final class PostgresWakeUps implements Watch, NotificationConnection.Handler {

	private static final Log logger = LogFactory.getLog(PostgresWakeUps.class);

	private static final Duration ECHO_TIMEOUT = Duration.ofSeconds(1);

	/** A peer that vanished without a word is noticed after this time. */
	private static final Duration SILENCE = Duration.ofSeconds(30);

	private static final int PROOF_OF_LIFE_SECONDS = 5;

	private final String channel;

	private final WakeUpListeners listeners = new WakeUpListeners();

	private final NotificationConnection connection;

	private PostgresWakeUps(DataSource dataSource, String channel, WakeUps wakeUps) {
		this.channel = channel;
		this.listeners.add(wakeUps);
		this.connection = new NotificationConnection(dataSource, "leader-election-wake-ups", this);
	}

	/**
	 * Begins to listen, if notifications arrive at all.
	 * @param sender sends a notification to try it
	 * @param whyNot called with the reason if they do not, and will not later
	 */
	static Optional<Watch> open(DataSource dataSource, String channel, WakeUps wakeUps,
			BiConsumer<String, String> sender, Consumer<@Nullable String> whyNot) throws SQLException {
		PostgresWakeUps opened = new PostgresWakeUps(dataSource, channel, wakeUps);
		try {
			opened.connection.connect();
		}
		catch (SQLException ex) {
			if (!SqlFailures.isStatementRefused(ex)) {
				throw ex;
			}
			whyNot.accept(ex.getMessage());
			return Optional.empty();
		}
		boolean heard = false;
		try {
			heard = opened.hearsItself(sender);
		}
		finally {
			if (!heard) {
				opened.close();
			}
		}
		if (!heard) {
			whyNot
				.accept(("a notification on channel \"%s\" did not arrive, as if it had been sent through a PgBouncer "
						+ "in transaction mode")
					.formatted(channel));
			return Optional.empty();
		}
		opened.connection.start();
		return Optional.of(opened);
	}

	private boolean hearsItself(BiConsumer<String, String> sender) throws SQLException {
		String echo = WakeUpListeners.ECHO + UUID.randomUUID();
		sender.accept(this.channel, echo);
		long deadline = System.nanoTime() + ECHO_TIMEOUT.toNanos();
		Duration left = ECHO_TIMEOUT;
		while (left.toMillis() > 0) {
			PGNotification[] received = this.connection.receive(left);
			if (Arrays.stream(received).anyMatch((notification) -> echo.equals(notification.getParameter()))) {
				return true;
			}
			left = Duration.ofNanos(deadline - System.nanoTime());
		}
		return false;
	}

	@Override
	public void opened(Connection opened) throws SQLException {
		NotificationConnection.listen(opened, this.channel);
	}

	@Override
	public Duration readTimeout() {
		return SILENCE;
	}

	@Override
	public void received(Connection present, PGNotification[] notifications) throws SQLException {
		if (notifications.length == 0 && !present.isValid(PROOF_OF_LIFE_SECONDS)) {
			throw new SQLException("the server does not answer");
		}
		this.listeners.wakeUp(notifications);
	}

	@Override
	public void lost(SQLException why) {
		logger.warn("Wake-ups have stopped, so a free lease is noticed later: " + why.getMessage());
	}

	@Override
	public void restored() {
		logger.info("Wake-ups are back");
		this.listeners.forEach(WakeUps::wakeUpAll);
	}

	@Override
	public void reconnectFailed(SQLException why) {
		logger.debug("Wake-ups are not back yet", why);
	}

	@Override
	public void close() {
		this.connection.close();
	}

}
