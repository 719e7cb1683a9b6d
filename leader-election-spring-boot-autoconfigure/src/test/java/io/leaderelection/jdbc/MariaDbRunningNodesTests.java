package io.leaderelection.jdbc;

class MariaDbRunningNodesTests extends JdbcRunningNodesContract {

	MariaDbRunningNodesTests() {
		super(Database.MARIADB);
	}

}
