package io.leaderelection.redis;

import java.util.List;

import io.leaderelection.nodes.ProcessContract;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisProcessTests extends ProcessContract {

	private static final RedisClients clients = new RedisClients();

	private static RedisServer server;

	private final LeaseStore store = new RedisLeaseStore(clients.lettuce(server));

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		clients.close();
		server.close();
	}

	@Override
	protected List<String> properties() {
		return List.of("leader-election.backend=redis", "spring.data.redis.host=" + RedisServer.HOST,
				"spring.data.redis.port=" + server.port());
	}

	@Override
	protected LeaseStore store() {
		return this.store;
	}

}
