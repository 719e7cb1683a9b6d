package io.leaderelection.redis;

import io.leaderelection.nodes.RunningNodesContract;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import redis.clients.jedis.Jedis;

class RedisRunningNodesTests extends RunningNodesContract {

	private static final RedisClients clients = new RedisClients();

	private static RedisServer server;

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
	protected LeaseStore newStore() {
		return new RedisLeaseStore(clients.lettuce(server));
	}

	@Override
	protected void deleteAll() {
		server.ask(Jedis::flushAll);
	}

}
