package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;

class PostgresRunningNodesTests extends JdbcRunningNodesContract {

	PostgresRunningNodesTests() {
		super(Database.POSTGRESQL);
	}

}
