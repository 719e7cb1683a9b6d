package io.leaderelection.jdbc;

import io.leaderelection.servers.MariaDbServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class SwallowedMariaDbLeaderTests extends SwallowedJdbcLeaderContract {

	SwallowedMariaDbLeaderTests() {
		super(MariaDbServer.shared());
	}

}
