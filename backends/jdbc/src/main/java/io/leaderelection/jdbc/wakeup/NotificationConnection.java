package io.leaderelection.jdbc.wakeup;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection to PostgreSQL that one thread reads all the time, so that notifications
 * arrive and its loss is noticed at once. A lost connection is replaced. Internal.
 */
public final class NotificationConnection implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(NotificationConnection.class);

	private static final PGNotification[] NOTHING = {};

	private static final long FIRST_RETRY_MILLIS = 50;

	private static final long LAST_RETRY_MILLIS = 5000;

	private final DataSource dataSource;

	private final String threadName;

	private final Handler handler;

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Connection connection;

	public NotificationConnection(DataSource dataSource, String threadName, Handler handler) {
		this.dataSource = dataSource;
		this.threadName = threadName;
		this.handler = handler;
	}

	/** Connects, in the thread of the caller. */
	void connect() throws SQLException {
		Connection opened = open(this.dataSource);
		try {
			this.handler.opened(opened);
		}
		catch (SQLException | RuntimeException ex) {
			try (opened) {
				throw ex;
			}
		}
		this.connection = opened;
		if (isClosed()) {
			abort(opened);
		}
	}

	public static Connection open(DataSource dataSource) throws SQLException {
		Connection opened = dataSource.getConnection();
		try {
			opened.setAutoCommit(true);
			if (!opened.isWrapperFor(PGConnection.class)) {
				throw new SQLFeatureNotSupportedException("the driver is not org.postgresql:postgresql", "0A000");
			}
			return opened;
		}
		catch (SQLException ex) {
			try (opened) {
				throw ex;
			}
		}
	}

	/** Has the notifications of a channel sent to a connection. */
	public static void listen(Connection connection, String channel) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("LISTEN \"" + channel + "\"");
		}
	}

	/** Starts to read, in a new thread, which connects first if necessary. */
	public void start() {
		Thread thread = new Thread(this::run, this.threadName);
		thread.setDaemon(true);
		thread.start();
	}

	private void run() {
		while (!isClosed()) {
			Connection present = this.connection;
			if (present == null) {
				reconnect();
				continue;
			}
			try {
				this.handler.received(present, receive(this.handler.readTimeout()));
			}
			catch (SQLException ex) {
				this.connection = null;
				if (!isClosed()) {
					this.handler.lost(ex);
				}
				// not before: it may be the server's last reason to keep others waiting
				abort(present);
			}
		}
	}

	/** Waits for notifications, which may not come; none if there is no connection. */
	PGNotification[] receive(Duration patience) throws SQLException {
		Connection present = this.connection;
		if (present == null) {
			return NOTHING;
		}
		// zero would mean for ever
		int millis = (int) Math.max(1, patience.toMillis());
		PGNotification[] received = present.unwrap(PGConnection.class).getNotifications(millis);
		return (received != null) ? received : NOTHING;
	}

	private void reconnect() {
		for (long delay = 0; !awaitClosed(delay); delay = Math.min(Math.max(FIRST_RETRY_MILLIS, 2 * delay),
				LAST_RETRY_MILLIS)) {
			try {
				connect();
				this.handler.restored();
				return;
			}
			catch (SQLException ex) {
				this.handler.reconnectFailed(ex);
			}
		}
	}

	private boolean awaitClosed(long millis) {
		try {
			return this.closed.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			// only this class can interrupt the thread
			this.closed.countDown();
			return true;
		}
	}

	private boolean isClosed() {
		return this.closed.getCount() == 0;
	}

	/** Ends this connection, as if the server had; it is replaced. */
	public void drop() {
		Connection present = this.connection;
		if (present != null) {
			abort(present);
		}
	}

	@Override
	public void close() {
		this.closed.countDown();
		drop();
	}

	/** Closing would wait for the reader. */
	public static void abort(Connection connection) {
		try {
			connection.abort(Runnable::run);
		}
		catch (SQLException ex) {
			logger.debug("A connection could not be closed", ex);
		}
	}

	/**
	 * What is done with the connection, by its thread.
	 */
	public interface Handler {

		/** Prepares a new connection. */
		void opened(Connection connection) throws SQLException;

		/** How long to wait for notifications. */
		Duration readTimeout();

		/** Hears what came in that time, or that nothing did. */
		void received(Connection connection, PGNotification[] notifications) throws SQLException;

		/** The connection is gone, or will be when this returns. */
		void lost(SQLException why);

		/** There is a new one. */
		void restored();

		/** There is none yet. */
		void reconnectFailed(SQLException why);

	}

}
