package io.leaderelection.redis;

import java.util.List;

import io.leaderelection.nodes.SwallowedLeaderContract;
import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * A leader cut off from one Redis server.
 */
abstract class SwallowedRedisLeaderContract extends SwallowedLeaderContract {

	private static RedisServer server;

	private final String client;

	SwallowedRedisLeaderContract(String client) {
		this.client = client;
	}

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	protected int serverPort() {
		return server.port();
	}

	@Override
	protected List<String> properties(int port) {
		return List.of("leader-election.backend=redis", "spring.data.redis.client-type=" + this.client,
				"spring.data.redis.host=" + RedisServer.HOST, "spring.data.redis.port=" + port);
	}

}
