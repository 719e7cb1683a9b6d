package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;

class MariaDbRunningNodesTests extends JdbcRunningNodesContract {

	MariaDbRunningNodesTests() {
		super(Database.MARIADB);
	}

}
