package io.leaderelection.jdbc;

class SwallowedPostgresLeaderTests extends SwallowedJdbcLeaderContract {

	SwallowedPostgresLeaderTests() {
		super(PostgresServer.shared());
	}

}
