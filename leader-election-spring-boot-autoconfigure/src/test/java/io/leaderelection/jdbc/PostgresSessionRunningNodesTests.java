package io.leaderelection.jdbc;

class PostgresSessionRunningNodesTests extends JdbcRunningNodesContract {

	PostgresSessionRunningNodesTests() {
		super(Database.POSTGRESQL, JdbcMode.SESSION);
	}

}
