package io.leaderelection.jdbc;

import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.nodes.PausedInATransactionContract;
import io.leaderelection.servers.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.jdbc.core.JdbcTemplate;

class PostgresPausedInATransactionTests extends PausedInATransactionContract {

	private static final PostgresServer server = PostgresServer.shared();

	private static String table;

	private static HikariDataSource pool;

	@BeforeAll
	static void createTables() {
		table = server.createTables();
		pool = server.pool(1);
		new JdbcTemplate(pool).execute("CREATE TABLE %s_RESULT (TOKEN BIGINT)".formatted(table));
		new JdbcTemplate(pool).update("INSERT INTO %s_RESULT VALUES (0)".formatted(table));
	}

	@AfterAll
	static void closePool() {
		pool.close();
	}

	@Override
	protected List<String> properties() {
		return List.of("leader-election.backend=jdbc", "leader-election.jdbc.table-name=" + table,
				"node.result-table=" + table + "_RESULT", "spring.datasource.url=" + server.url(),
				"spring.datasource.username=" + server.user(), "spring.datasource.password=" + server.password());
	}

	@Override
	protected long written() {
		Long token = new JdbcTemplate(pool).queryForObject("SELECT TOKEN FROM %s_RESULT".formatted(table), Long.class);
		return (token != null) ? token : -1;
	}

}
