package io.leaderelection.jdbc.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.jdbc.wakeup.NotificationConnection;

/**
 * A session for the tests of the statements, in another package.
 *
 * @param connection its connection
 * @param mark how rows name it
 */
public record TestSession(Connection connection, SessionMark mark) implements AutoCloseable {

	public static TestSession open(DataSource dataSource) throws SQLException {
		Connection connection = NotificationConnection.open(DirectConnections.besides(dataSource).dataSource());
		return new TestSession(connection, OpenSession.on(connection, Duration.ofMinutes(1)).mark());
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

}
