package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import javax.sql.DataSource;

import io.leaderelection.jdbc.session.OpenSession.Moment;
import io.leaderelection.jdbc.wakeup.NotificationConnection;
import io.leaderelection.jdbc.wakeup.WakeUpListeners;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;

/**
 * Binds the leases of a node to its session with PostgreSQL. The session has its own
 * connection, which is read all the time: it also receives notifications, and its loss is
 * noticed at once. It is opened when it is first used, and reopened with another key when
 * it is lost.
 *
 * <p>
 * The server ends a session that has been silent for the duration of the longest lease.
 * The node relies on it for no longer than that since the last request that was answered.
 */
final class PostgresSession implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(PostgresSession.class);

	private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

	/** Milliseconds in an integer. */
	private static final Duration GREATEST_TIMEOUT = Duration.ofDays(24);

	private final DataSource dataSource;

	private final @Nullable String channel;

	private final Duration patience;

	private final WakeUpListeners listeners = new WakeUpListeners();

	private final LeadingSessions leading;

	private @Nullable SessionWatcher watcher;

	private Duration timeout = LEAST_TIMEOUT;

	private @Nullable Keeper keeper;

	private @Nullable OpenSession present;

	private @Nullable SQLException failure;

	private int failures;

	/** Leases were lost while there was no listener. */
	private boolean lostUnheard;

	/**
	 * A session that is not opened yet.
	 * @param dataSource where its connection comes from
	 * @param channel of the hints; none if they are not wanted
	 * @param patience how long a call waits for the session
	 * @param takeoverDelay how long a lease is left alone whose session has ended
	 */
	PostgresSession(DataSource dataSource, @Nullable String channel, Duration patience, Duration takeoverDelay) {
		this.dataSource = dataSource;
		this.channel = channel;
		this.patience = patience;
		this.leading = new LeadingSessions(takeoverDelay);
	}

	/**
	 * What the leases of a call are bound to.
	 * @param lease the longest of them
	 */
	SessionBinding bind(Duration lease) throws SQLException {
		Moment begun = Moment.now();
		return new Binding(await(lease), begun);
	}

	/** Starts to wake the listener up, and to report lost leases to it. */
	Watch watch(WakeUps wakeUps) throws SQLException {
		await(LEAST_TIMEOUT);
		boolean lost;
		synchronized (this) {
			this.listeners.add(wakeUps);
			lost = this.lostUnheard;
			this.lostUnheard = false;
			if (this.watcher == null) {
				this.watcher = new SessionWatcher(this.dataSource, this.leading, this.listeners);
				this.watcher.start();
			}
		}
		if (lost) {
			wakeUps.leasesLost();
		}
		return () -> unwatch(wakeUps);
	}

	/** Without a listener, the loss of the session would not be noticed. */
	private void unwatch(WakeUps wakeUps) {
		this.listeners.remove(wakeUps);
		if (this.listeners.isEmpty()) {
			close();
		}
	}

	private synchronized OpenSession await(Duration lease) throws SQLException {
		this.timeout = atLeast(lease);
		if (this.keeper == null) {
			this.keeper = new Keeper();
			this.keeper.connection.start();
		}
		int failuresBefore = this.failures;
		long deadline = System.nanoTime() + this.patience.toNanos();
		while (this.present == null || this.present.timeout().compareTo(this.timeout) < 0) {
			if (this.failures != failuresBefore) {
				throw Objects.requireNonNull(this.failure);
			}
			waitUntil(deadline);
		}
		return this.present;
	}

	private Duration atLeast(Duration lease) {
		Duration longest = (lease.compareTo(this.timeout) > 0) ? lease : this.timeout;
		return (longest.compareTo(GREATEST_TIMEOUT) < 0) ? longest : GREATEST_TIMEOUT;
	}

	private void waitUntil(long deadline) throws SQLException {
		long left = deadline - System.nanoTime();
		if (left <= 0) {
			throw new SQLTransientConnectionException("There was no session within %s".formatted(this.patience),
					"08001", this.failure);
		}
		try {
			// rounded up, so as not to wait for ever
			wait(left / 1_000_000 + 1);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SQLException("Interrupted", ex);
		}
	}

	private synchronized Duration timeout() {
		return this.timeout;
	}

	private synchronized boolean isPresent(OpenSession session) {
		return this.present == session;
	}

	private synchronized void drop(OpenSession session) {
		if (this.present == session && this.keeper != null) {
			this.keeper.connection.drop();
		}
	}

	@Override
	public void close() {
		Keeper dismissed;
		SessionWatcher ended;
		synchronized (this) {
			dismissed = this.keeper;
			ended = this.watcher;
			this.keeper = null;
			this.watcher = null;
			this.present = null;
			this.leading.own(null);
		}
		if (ended != null) {
			ended.close();
		}
		if (dismissed != null) {
			dismissed.connection.close();
		}
	}

	/**
	 * Keeps the session alive until it is dismissed. What it does later has no effect.
	 */
	private final class Keeper implements NotificationConnection.Handler {

		private final NotificationConnection connection = new NotificationConnection(PostgresSession.this.dataSource,
				"leader-election-session", this);

		private @Nullable OpenSession kept;

		@Override
		public void opened(Connection opened) throws SQLException {
			this.kept = OpenSession.on(opened, timeout());
			if (PostgresSession.this.channel != null) {
				NotificationConnection.listen(opened, PostgresSession.this.channel);
			}
		}

		@Override
		public Duration readTimeout() {
			return kept().silence();
		}

		@Override
		public void received(Connection connection, PGNotification[] notifications) throws SQLException {
			PostgresSession.this.listeners.wakeUp(notifications);
			Duration wanted = timeout();
			if (!wanted.equals(kept().timeout()) || kept().silence().toMillis() <= 0) {
				kept().prove(connection, wanted);
				change(() -> {
				});
			}
		}

		private OpenSession kept() {
			return Objects.requireNonNull(this.kept);
		}

		/** The engine has to hear of it before others can act on it. */
		@Override
		public void lost(SQLException why) {
			boolean concerns = change(() -> {
				PostgresSession.this.present = null;
				PostgresSession.this.lostUnheard = PostgresSession.this.listeners.isEmpty();
			});
			if (concerns) {
				PostgresSession.this.listeners.forEach(WakeUps::leasesLost);
				PostgresSession.this.leading.own(null);
				logger.warn("The session with the server has ended, and with it the leaderships that it kept: "
						+ why.getMessage());
			}
		}

		@Override
		public void restored() {
			boolean concerns = change(() -> {
				PostgresSession.this.present = this.kept;
				PostgresSession.this.leading.own(kept().mark());
			});
			if (concerns) {
				PostgresSession.this.listeners.forEach(WakeUps::wakeUpAll);
			}
		}

		@Override
		public void reconnectFailed(SQLException why) {
			change(() -> {
				PostgresSession.this.failure = why;
				PostgresSession.this.failures++;
			});
		}

		/** Changes what calls wait for, unless dismissed. */
		private boolean change(Runnable change) {
			synchronized (PostgresSession.this) {
				boolean concerns = PostgresSession.this.keeper == this;
				if (concerns) {
					change.run();
					PostgresSession.this.notifyAll();
				}
				return concerns;
			}
		}

	}

	/**
	 * The session as it was when a call began.
	 */
	private final class Binding implements SessionBinding {

		private final OpenSession session;

		private final Moment begun;

		private final Map<Owner, Owner> marked = new HashMap<>();

		private Binding(OpenSession session, Moment begun) {
			this.session = session;
			this.begun = begun;
		}

		@Override
		public Owner owner(Owner owner) {
			return this.marked.computeIfAbsent(owner,
					(one) -> new Owner(one.nodeId(), this.session.mark().on(one.incarnation())));
		}

		@Override
		public SessionConditions conditions() {
			return new SessionConditions(this.session.mark(), PostgresSession.this.leading.takeable());
		}

		@Override
		public Duration validFor(Duration lease) {
			Duration lasts = this.session.lasts(this.begun);
			if (!isPresent(this.session) || lasts.isNegative() || lasts.isZero()) {
				throw new LeaseStoreException("The session that the leases were bound to has ended meanwhile");
			}
			return (lasts.compareTo(lease) < 0) ? lasts : lease;
		}

		@Override
		public void observed(Set<String> elections, Map<String, SessionMark> leaders) {
			PostgresSession.this.leading.observed(elections, leaders);
		}

		@Override
		public void failed(SQLException failure) {
			if (failure instanceof SessionEndedException) {
				drop(this.session);
			}
		}

	}

}
