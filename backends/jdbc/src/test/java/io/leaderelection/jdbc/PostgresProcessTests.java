package io.leaderelection.jdbc;

import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.nodes.ProcessContract;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresProcessTests extends ProcessContract {

	private static final PostgresServer server = PostgresServer.shared();

	private static String table;

	private static HikariDataSource pool;

	@BeforeAll
	static void createTables() {
		table = server.createTables();
		pool = server.pool(1);
	}

	@AfterAll
	static void closePool() {
		pool.close();
	}

	@Override
	protected List<String> properties() {
		return List.of("leader-election.backend=jdbc", "leader-election.jdbc.table-name=" + table,
				"spring.datasource.url=" + server.url(), "spring.datasource.username=" + server.user(),
				"spring.datasource.password=" + server.password());
	}

	@Override
	protected LeaseStore store() {
		return JdbcLeaseStore.on(pool).tableName(table).withoutWakeUps().build();
	}

}
