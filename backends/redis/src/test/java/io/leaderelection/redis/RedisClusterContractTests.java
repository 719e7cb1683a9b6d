package io.leaderelection.redis;

import io.leaderelection.servers.RedisClusterNodes;
import io.leaderelection.servers.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The contract on a Cluster, with Lettuce. What happens, happens to the node that has the
 * elections.
 */
@Tag("full")
class RedisClusterContractTests extends RedisLeaseStoreContract {

	private static RedisClusterNodes cluster;

	@BeforeAll
	static void startCluster() {
		cluster = RedisClusterNodes.start();
	}

	@AfterAll
	static void stopCluster() {
		cluster.close();
	}

	@Override
	RedisConnectionFactory connect() {
		return this.clients.lettuce(cluster.configuration());
	}

	private RedisServer server() {
		return cluster.nodeOf("{" + this.prefix + "}");
	}

	@Override
	protected void loseAllData() {
		server().ask(Jedis::flushAll);
	}

	@Override
	protected void restartServer() {
		server().kill();
		server().startAgain();
	}

	@Override
	protected void pauseServer() {
		server().pause();
	}

	@Override
	protected void resumeServer() {
		server().resume();
	}

}
