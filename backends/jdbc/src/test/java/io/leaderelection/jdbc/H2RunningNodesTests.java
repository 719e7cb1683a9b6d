package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;
import org.junit.jupiter.api.Tag;

@Tag("full")
class H2RunningNodesTests extends JdbcRunningNodesContract {

	H2RunningNodesTests() {
		super(Database.H2);
	}

}
