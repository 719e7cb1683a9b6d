package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;
import org.junit.jupiter.api.Tag;

@Tag("full")
class PostgresSessionRunningNodesTests extends JdbcRunningNodesContract {

	PostgresSessionRunningNodesTests() {
		super(Database.POSTGRESQL, JdbcMode.SESSION);
	}

}
