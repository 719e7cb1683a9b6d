package io.leaderelection.redis;

import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The contract on one server that keeps nothing, with Jedis. After a restart the records
 * are gone.
 */
@Tag("full")
class RedisJedisContractTests extends RedisLeaseStoreContract {

	private static RedisServer server;

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@Override
	RedisConnectionFactory connect() {
		return this.clients.jedis(server);
	}

	@Override
	protected void loseAllData() {
		server.ask(Jedis::flushAll);
	}

	@Override
	protected void restartServer() {
		server.kill();
		server.startAgain();
	}

	@Override
	protected void pauseServer() {
		server.pause();
	}

	@Override
	protected void resumeServer() {
		server.resume();
	}

}
