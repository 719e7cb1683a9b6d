package io.leaderelection.servers;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import redis.clients.jedis.args.ClientType;
import redis.clients.jedis.params.ClientKillParams;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;

/**
 * A master and a replica, watched by three Sentinels.
 */
public final class RedisSentinels implements AutoCloseable {

	public static final String NAME = "elections";

	private final RedisServer one;

	private final RedisServer other;

	private final List<RedisServer> sentinels;

	private RedisSentinels(RedisServer one, RedisServer other, List<RedisServer> sentinels) {
		this.one = one;
		this.other = other;
		this.sentinels = sentinels;
	}

	/** Sentinels that replace a master which says nothing for half a second. */
	public static RedisSentinels start() {
		return start(Duration.ofMillis(500));
	}

	/**
	 * Sentinels that replace a master by themselves after some time. Where the machine is
	 * busy, little time means that a master is replaced while it lives.
	 * @param silence for how long the master has to say nothing
	 * @return a running group
	 */
	public static RedisSentinels start(Duration silence) {
		RedisServer one = RedisServer.start();
		RedisServer other = RedisServer.start("--replicaof", RedisServer.HOST + " " + one.port());
		String configuration = """
				sentinel monitor %1$s %2$s %3$d 2
				sentinel down-after-milliseconds %1$s %4$d
				sentinel failover-timeout %1$s 1000
				""".formatted(NAME, RedisServer.HOST, one.port(), silence.toMillis());
		List<RedisServer> sentinels = IntStream.range(0, 3)
			.mapToObj((i) -> RedisServer.startSentinel(configuration))
			.toList();
		RedisSentinels started = new RedisSentinels(one, other, sentinels);
		started.awaitReplica();
		TestedServers.report("Redis Sentinel", one.info("server", "redis_version"));
		return started;
	}

	public RedisSentinelConfiguration configuration() {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(NAME);
		this.sentinels.forEach((sentinel) -> configuration.sentinel(RedisServer.HOST, sentinel.port()));
		return configuration;
	}

	public List<Integer> sentinelPorts() {
		return this.sentinels.stream().map(RedisServer::port).toList();
	}

	public List<Integer> serverPorts() {
		return List.of(this.one.port(), this.other.port());
	}

	/** The master by the word of all Sentinels. */
	public RedisServer master() {
		List<Integer> ports = this.sentinels.stream().map(RedisSentinels::masterPort).distinct().toList();
		if (ports.size() != 1) {
			throw new IllegalStateException("The Sentinels disagree: " + ports);
		}
		return (ports.get(0) == this.one.port()) ? this.one : this.other;
	}

	private static int masterPort(RedisServer sentinel) {
		return sentinel.ask((jedis) -> Integer.parseInt(jedis.sentinelGetMasterAddrByName(NAME).get(1)));
	}

	/**
	 * Kills the master, has the replica promoted, and the old master come back as
	 * replica.
	 */
	public void failOver() {
		RedisServer dead = master();
		RedisServer next = (dead == this.one) ? this.other : this.one;
		dead.kill();
		demandFailOver(next);
		await().until(() -> this.sentinels.stream().allMatch((sentinel) -> masterPort(sentinel) == next.port())
				&& "master".equals(next.info("replication", "role")));
		dead.startAgain();
		// as the Sentinels would do it, but sooner
		dead.ask((jedis) -> {
			jedis.replicaof(RedisServer.HOST, next.port());
			jedis.clientKill(ClientKillParams.clientKillParams().type(ClientType.PUBSUB));
			return jedis.clientKill(ClientKillParams.clientKillParams().type(ClientType.NORMAL));
		});
		awaitReplica();
	}

	/** Sentinels refuse it while they do it by themselves. */
	private void demandFailOver(RedisServer next) {
		await().until(() -> masterPort(this.sentinels.get(0)) == next.port()
				|| "OK".equals(this.sentinels.get(0).ask((jedis) -> jedis.sentinelFailover(NAME))));
	}

	private void awaitReplica() {
		await().until(() -> "1".equals(master().info("replication", "connected_slaves")) && this.sentinels.stream()
			.map((sentinel) -> sentinel.info("sentinel", "master0"))
			.allMatch((state) -> state.contains("status=ok") && state.contains("slaves=1")
					&& state.contains("sentinels=3")));
	}

	private static ConditionFactory await() {
		return Awaitility.await().ignoreExceptions().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(30));
	}

	@Override
	public void close() {
		Stream.concat(this.sentinels.stream(), Stream.of(this.one, this.other)).forEach(RedisServer::close);
	}

}
