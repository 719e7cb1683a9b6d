package io.leaderelection.jdbc;

import io.leaderelection.servers.Database;
import org.junit.jupiter.api.Tag;

@Tag("full")
class MariaDbRunningNodesTests extends JdbcRunningNodesContract {

	MariaDbRunningNodesTests() {
		super(Database.MARIADB);
	}

}
