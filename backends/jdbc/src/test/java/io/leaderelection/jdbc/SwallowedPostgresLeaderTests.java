package io.leaderelection.jdbc;

import io.leaderelection.servers.PostgresServer;

class SwallowedPostgresLeaderTests extends SwallowedJdbcLeaderContract {

	SwallowedPostgresLeaderTests() {
		super(PostgresServer.shared());
	}

}
