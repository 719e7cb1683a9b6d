package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.sql.SqlFailures;
import io.leaderelection.jdbc.wakeup.NotificationConnection;
import io.leaderelection.jdbc.wakeup.WakeUpSource;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * The session mode of a store: its leases are bound to a session with PostgreSQL.
 * Internal.
 */
public final class SessionMode implements AutoCloseable {

	private final DirectConnections connections;

	private final @Nullable String channel;

	private final Duration patience;

	private final Duration takeoverDelay;

	private @Nullable PostgresSession session;

	public SessionMode(DirectConnections connections, @Nullable String channel, Duration patience,
			Duration takeoverDelay) {
		this.connections = connections;
		this.channel = channel;
		this.patience = patience;
		this.takeoverDelay = takeoverDelay;
	}

	/**
	 * Binds the leases of a call to the session, which is opened if need be. Call it
	 * before a connection is taken from the pool: it may be the only one.
	 * @param lease the longest of the leases
	 * @return the binding
	 * @throws UnusableSessionException if there can be no session
	 */
	public SessionBinding bind(Duration lease) throws SQLException {
		return session().bind(lease);
	}

	/** Watches for wake-ups, and for the loss of the session. */
	public Watch watch(WakeUps wakeUps) throws SQLException {
		return session().watch(wakeUps);
	}

	private synchronized PostgresSession session() throws UnusableSessionException {
		if (this.session == null) {
			this.session = new PostgresSession(dataSource(), this.channel, this.patience, this.takeoverDelay);
		}
		return this.session;
	}

	private DataSource dataSource() throws UnusableSessionException {
		if (!WakeUpSource.DRIVER_PRESENT) {
			throw UnusableSessionException.noConnection("the driver is not org.postgresql:postgresql", null);
		}
		if (this.connections.dataSource() == null) {
			throw UnusableSessionException.noConnection(this.connections.whyNot(), null);
		}
		return this.connections.dataSource();
	}

	/** Opens a session of its own, to see whether that is possible, for another check. */
	public void tryOut(Consumer<SessionConditions> check) throws UnusableSessionException {
		try (Connection connection = NotificationConnection.open(dataSource())) {
			SessionMark mark = OpenSession.on(connection, this.patience.multipliedBy(10)).mark();
			SessionWatcher.await(connection, mark.key(), 1, Stream.of(mark.key()));
			check.accept(new SessionConditions(mark, null));
		}
		catch (UnusableSessionException ex) {
			throw ex;
		}
		catch (SQLException ex) {
			if (SqlFailures.isStatementRefused(ex)) {
				throw UnusableSessionException.noConnection(ex.getMessage(), ex);
			}
			throw new LeaseStoreException("Could not open a session: " + ex.getMessage(), ex);
		}
	}

	public List<String> limits() {
		String window = "If the server loses the session of a leader that lives, another node may lead until that leader has "
				+ "noticed, mostly within milliseconds; ";
		return List.of(
				window + (this.takeoverDelay.isZero() ? "leader-election.jdbc.takeover-delay makes it wait."
						: "it waits for %s at the most.".formatted(this.takeoverDelay)),
				"A server that is promoted without the last commits grants no lease for one lease; a leader that still "
						+ "reaches the former server goes on to lead.");
	}

	@Override
	public synchronized void close() {
		if (this.session != null) {
			this.session.close();
			this.session = null;
		}
	}

	public static Duration requireValidDelay(Duration delay) {
		if (delay.isNegative() || delay.compareTo(Duration.ofDays(1)) > 0) {
			throw new IllegalArgumentException("The takeover delay must be from 0 to 1 day, but is " + delay);
		}
		return delay;
	}

}
