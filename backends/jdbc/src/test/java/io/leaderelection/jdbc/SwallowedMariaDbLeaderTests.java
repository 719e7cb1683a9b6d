package io.leaderelection.jdbc;

import io.leaderelection.servers.MariaDbServer;

class SwallowedMariaDbLeaderTests extends SwallowedJdbcLeaderContract {

	SwallowedMariaDbLeaderTests() {
		super(MariaDbServer.shared());
	}

}
