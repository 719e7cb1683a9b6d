package io.leaderelection.jdbc;

class PostgresRunningNodesTests extends JdbcRunningNodesContract {

	PostgresRunningNodesTests() {
		super(Database.POSTGRESQL);
	}

}
