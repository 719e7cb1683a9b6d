package io.leaderelection.jdbc;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.servers.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("full")
class SwallowedPostgresSessionTests extends SwallowedJdbcLeaderContract {

	SwallowedPostgresSessionTests() {
		super(PostgresServer.shared());
	}

	@Override
	protected List<String> properties(int port) {
		List<String> properties = new ArrayList<>(super.properties(port));
		properties.add("leader-election.jdbc.mode=session");
		return properties;
	}

}
