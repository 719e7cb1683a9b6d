package io.leaderelection.jdbc;

class SwallowedMariaDbLeaderTests extends SwallowedJdbcLeaderContract {

	SwallowedMariaDbLeaderTests() {
		super(MariaDbServer.shared());
	}

}
