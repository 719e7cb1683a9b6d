package io.leaderelection.benchmarks.peers.store;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import io.leaderelection.benchmarks.Waiting;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * A PostgreSQL with the tables of all contestants, made by their own scripts.
 */
final class PostgresStoreServer implements StoreServer {

	private final EmbeddedPostgres server;

	PostgresStoreServer() throws IOException, SQLException {
		this.server = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "off")
			.setServerConfig("max_connections", "100")
			.setServerConfig("shared_preload_libraries", "pg_stat_statements")
			.start();
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			statement.execute("CREATE EXTENSION pg_stat_statements");
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("org/springframework/integration/jdbc/schema-postgresql.sql"));
			ScriptUtils.executeSqlScript(connection,
					new ClassPathResource("io/leaderelection/jdbc/schemas/v1/schema-postgresql.sql"));
		}
	}

	private Connection connect() throws SQLException {
		return this.server.getPostgresDatabase().getConnection();
	}

	@Override
	public int port() {
		return this.server.getPort();
	}

	@Override
	public Load load(Duration time) throws Exception {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			long began = System.nanoTime();
			long before = statements(statement);
			Waiting.pass(time);
			// without the one that asked for the first number
			long asked = statements(statement) - before - 1;
			return Load.of(asked, asked, System.nanoTime() - began);
		}
	}

	private static long statements(Statement statement) throws SQLException {
		return number(statement, "SELECT coalesce(sum(calls), 0)::bigint FROM pg_stat_statements(false)");
	}

	private static long number(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getLong(1);
		}
	}

	@Override
	public void lose() throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			for (String table : new String[] { "int_lock", "leader_election", "leader_election_epoch",
					"leader_election_candidate" }) {
				statement.execute("DELETE FROM " + table);
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
