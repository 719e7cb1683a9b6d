package io.leaderelection.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * A real database for tests. Every test names tables of its own.
 */
public abstract class TestDatabase {

	private static final AtomicInteger TABLES = new AtomicInteger();

	public abstract String url();

	public abstract String user();

	public abstract String password();

	public void restart() throws Exception {
		throw new UnsupportedOperationException();
	}

	public void pause() throws Exception {
		throw new UnsupportedOperationException();
	}

	public void resume() throws Exception {
		throw new UnsupportedOperationException();
	}

	public HikariDataSource pool(int size) {
		return pool(size, user(), password());
	}

	public HikariDataSource pool(int size, String user, String password) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url());
		config.setUsername(user);
		config.setPassword(password);
		config.setMaximumPoolSize(size);
		config.setMinimumIdle(1);
		return new HikariDataSource(config);
	}

	final void report() {
		try (HikariDataSource dataSource = pool(1); Connection connection = dataSource.getConnection()) {
			TestedServers.report(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public String createTables() {
		String table = "T" + TABLES.incrementAndGet();
		try (HikariDataSource dataSource = pool(1)) {
			createTables(dataSource, table);
		}
		return table;
	}

	/**
	 * Runs the script of the JDBC module, with another name for the tables.
	 * @param dataSource the database
	 * @param table the name
	 */
	public static void createTables(DataSource dataSource, String table) {
		try (Connection connection = dataSource.getConnection()) {
			Resource script = new ClassPathResource("io/leaderelection/jdbc/schemas/v1/schema-%s.sql"
				.formatted(DatabaseDriver.fromJdbcUrl(connection.getMetaData().getURL()).getId()));
			String text = script.getContentAsString(StandardCharsets.UTF_8).replace("LEADER_ELECTION", table);
			ScriptUtils.executeSqlScript(connection, new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public int execute(String sql, Object... parameters) {
		try (HikariDataSource dataSource = pool(1); Connection connection = dataSource.getConnection()) {
			return execute(connection, sql, parameters);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public static int execute(Connection connection, String sql, Object... parameters) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
			return statement.execute() ? 0 : statement.getUpdateCount();
		}
	}

	public static void signal(String signal, Iterable<Long> pids) throws Exception {
		for (long pid : pids) {
			new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
		}
	}

}
