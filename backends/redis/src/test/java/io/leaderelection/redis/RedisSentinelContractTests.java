package io.leaderelection.redis;

import java.time.Duration;

import io.leaderelection.servers.RedisSentinels;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The contract on a master that Sentinels watch, with Jedis. A restart is a failover
 * here: the replica goes on.
 */
@Tag("full")
class RedisSentinelContractTests extends RedisLeaseStoreContract {

	private static RedisSentinels servers;

	@BeforeAll
	static void startServers() {
		// a master that a busy machine delays is not to be replaced during a test
		servers = RedisSentinels.start(Duration.ofSeconds(10));
	}

	@AfterAll
	static void stopServers() {
		servers.close();
	}

	@Override
	RedisConnectionFactory connect() {
		return this.clients.jedis(servers.configuration());
	}

	@Override
	protected void loseAllData() {
		servers.master().ask(Jedis::flushAll);
	}

	@Override
	protected void restartServer() {
		servers.failOver();
	}

	@Override
	protected void pauseServer() {
		cannot("pause the master without its replica being promoted");
	}

}
