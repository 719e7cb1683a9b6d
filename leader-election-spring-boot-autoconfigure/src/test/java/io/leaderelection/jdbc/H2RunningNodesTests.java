package io.leaderelection.jdbc;

class H2RunningNodesTests extends JdbcRunningNodesContract {

	H2RunningNodesTests() {
		super(Database.H2);
	}

}
