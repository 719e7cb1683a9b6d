package io.leaderelection.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.leaderelection.store.LeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Leases that are bound to a session, where the database can do that.
 */
final class SessionMode implements AutoCloseable {

	private static final boolean DRIVER_PRESENT = ClassUtils.isPresent(WakeUpSource.DRIVER,
			SessionMode.class.getClassLoader());

	private final DirectConnections connections;

	private final @Nullable String channel;

	private final Duration patience;

	private final Duration takeoverDelay;

	private @Nullable PostgresSession session;

	SessionMode(DirectConnections connections, @Nullable String channel, Duration patience, Duration takeoverDelay) {
		this.connections = connections;
		this.channel = channel;
		this.patience = patience;
		this.takeoverDelay = takeoverDelay;
	}

	/**
	 * The session, which is opened when it is used.
	 * @throws UnusableDatabaseException if there is nowhere to open it
	 */
	synchronized PostgresSession session() {
		if (this.session == null) {
			this.session = new PostgresSession(dataSource(), this.channel, this.patience, this.takeoverDelay);
		}
		return this.session;
	}

	private DataSource dataSource() {
		if (!DRIVER_PRESENT) {
			throw UnusableDatabaseException.noSession("the driver is not org.postgresql:postgresql", null);
		}
		if (this.connections.dataSource() == null) {
			throw UnusableDatabaseException.noSession(this.connections.whyNot(), null);
		}
		return this.connections.dataSource();
	}

	/**
	 * Opens a session of its own, to see whether that is possible.
	 * @param check what else is tried meanwhile
	 */
	void tryOut(Consumer<SessionConditions> check) {
		try (Connection connection = NotificationConnection.open(dataSource())) {
			SessionMark mark = OpenSession.on(connection, patience()).mark();
			SessionWatcher.await(connection, mark.key(), 1, Stream.of(mark.key()));
			check.accept(new SessionConditions(mark, null));
		}
		catch (SQLException ex) {
			if (SqlFailures.isStatementRefused(ex)) {
				throw UnusableDatabaseException.noSession(ex.getMessage(), ex);
			}
			throw new LeaseStoreException("Could not open a session: " + ex.getMessage(), ex);
		}
	}

	private Duration patience() {
		return this.patience.multipliedBy(10);
	}

	List<String> limits() {
		String window = "If the server loses the session of a leader that lives, another node may lead until that leader has "
				+ "noticed, mostly within milliseconds; ";
		return List.of(
				window + (this.takeoverDelay.isZero() ? "leader-election.jdbc.takeover-delay makes it wait."
						: "it waits for %s at the most.".formatted(this.takeoverDelay)),
				"A server that is promoted without the last commits grants no lease for one lease; a leader that still "
						+ "reaches the former server goes on to lead.",
				JdbcLeaseStore.CLOCK_SET_FORWARD);
	}

	@Override
	public synchronized void close() {
		if (this.session != null) {
			this.session.close();
			this.session = null;
		}
	}

}
