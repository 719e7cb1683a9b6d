package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;

class PostgresSessionRunningNodesTests extends JdbcRunningNodesContract {

	PostgresSessionRunningNodesTests() {
		super(Database.POSTGRESQL, JdbcMode.SESSION);
	}

}
