package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;

class H2RunningNodesTests extends JdbcRunningNodesContract {

	H2RunningNodesTests() {
		super(Database.H2);
	}

}
