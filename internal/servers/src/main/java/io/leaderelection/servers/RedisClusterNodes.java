package io.leaderelection.servers;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.leaderelection.servers.Ports;
import org.awaitility.Awaitility;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.data.redis.connection.RedisClusterConfiguration;

/**
 * A Redis Cluster of three masters.
 */
public final class RedisClusterNodes implements AutoCloseable {

	private static final int SLOTS = 16384;

	private final List<RedisServer> nodes;

	private RedisClusterNodes(List<RedisServer> nodes) {
		this.nodes = nodes;
	}

	public static RedisClusterNodes start() {
		List<RedisServer> nodes = IntStream.range(0, 3)
			.mapToObj(
					(i) -> RedisServer.start("--cluster-enabled", "yes", "--cluster-port", String.valueOf(Ports.free()),
							"--cluster-node-timeout", "3000", "--cluster-require-full-coverage", "no"))
			.toList();
		RedisClusterNodes cluster = new RedisClusterNodes(nodes);
		cluster.join();
		TestedServers.report("Redis Cluster", nodes.get(0).info("server", "redis_version"));
		return cluster;
	}

	private void join() {
		for (int i = 0; i < this.nodes.size(); i++) {
			RedisServer node = this.nodes.get(i);
			int first = firstSlot(i);
			int last = firstSlot(i + 1) - 1;
			long epoch = i + 1;
			node.ask((jedis) -> jedis.clusterSetConfigEpoch(epoch));
			node.ask((jedis) -> jedis.clusterAddSlotsRange(first, last));
		}
		this.nodes.stream().skip(1).forEach((other) -> meet(this.nodes.get(0), other));
		Awaitility.await()
			.pollInterval(Duration.ofMillis(50))
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.nodes.stream()
				.map((node) -> node.ask((jedis) -> jedis.clusterInfo()))
				.allMatch((info) -> info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")
						&& info.contains("cluster_slots_ok:" + SLOTS)));
	}

	private static void meet(RedisServer node, RedisServer other) {
		int busPort = Integer.parseInt(other.ask((jedis) -> jedis.configGet("cluster-port")).get("cluster-port"));
		node.ask((jedis) -> jedis.sendCommand(Protocol.Command.CLUSTER, "MEET", RedisServer.HOST,
				String.valueOf(other.port()), String.valueOf(busPort)));
	}

	private int firstSlot(int node) {
		return node * SLOTS / this.nodes.size();
	}

	public List<RedisServer> nodes() {
		return this.nodes;
	}

	public RedisServer nodeOf(String key) {
		int slot = JedisClusterCRC16.getSlot(key);
		int node = IntStream.range(0, this.nodes.size())
			.filter((i) -> slot < firstSlot(i + 1))
			.findFirst()
			.orElseThrow();
		return this.nodes.get(node);
	}

	public RedisClusterConfiguration configuration() {
		return new RedisClusterConfiguration(this.nodes.stream().map(RedisServer::address).toList());
	}

	@Override
	public void close() {
		this.nodes.forEach(RedisServer::close);
	}

}
