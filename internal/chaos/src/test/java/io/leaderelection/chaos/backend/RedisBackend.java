package io.leaderelection.chaos.backend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.Writes;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.RedisSentinels;
import io.leaderelection.servers.RedisServer;
import io.lettuce.core.RedisClient;
import redis.clients.jedis.Jedis;

/**
 * Redis without persistence, alone or with a replica and Sentinels. The register is on
 * another server: where the record of the elections is lost, the memory of a fence would
 * be, too.
 */
final class RedisBackend implements Backend {

	private static final String REGISTER = "{register}:writes";

	private static final int PAGE = 50_000;

	private final RedisServer register = RedisServer.start();

	private final AutoCloseable servers;

	private final List<Integer> ports;

	private final List<Integer> sentinelPorts;

	private final Map<FaultKind, StoreFault> faults;

	private final String description;

	private RedisBackend(AutoCloseable servers, List<Integer> ports, List<Integer> sentinelPorts,
			Map<FaultKind, StoreFault> faults, String description) {
		this.servers = servers;
		this.ports = ports;
		this.sentinelPorts = sentinelPorts;
		this.faults = faults;
		this.description = description;
	}

	static RedisBackend alone() {
		RedisServer server = RedisServer.start();
		return new RedisBackend(server, List.of(server.port()), List.of(),
				Map.of(FaultKind.STORE_RESTART, new Undone(server::kill, server::startAgain), FaultKind.STORE_PAUSE,
						new Undone(server::pause, server::resume), FaultKind.DATA_LOSS,
						() -> server.ask(Jedis::flushAll)),
				"one server");
	}

	static RedisBackend withSentinels() {
		// a stall of the machine is no reason to replace a master that lives
		RedisSentinels sentinels = RedisSentinels.start(Duration.ofSeconds(10));
		List<Integer> ports = new ArrayList<>(sentinels.sentinelPorts());
		ports.addAll(sentinels.serverPorts());
		return new RedisBackend(
				sentinels, ports, sentinels.sentinelPorts(), Map.of(FaultKind.PROMOTION, sentinels::failOver,
						FaultKind.DATA_LOSS, () -> sentinels.master().ask(Jedis::flushAll)),
				"a master, a replica, 3 Sentinels");
	}

	@Override
	public List<Integer> ports() {
		return this.ports;
	}

	@Override
	public List<String> properties(List<TcpProxy> links) {
		List<String> properties = new ArrayList<>(List.of("leader-election.backend=redis", "chaos.register=redis",
				"chaos.register-address=" + this.register.port()));
		if (this.sentinelPorts.isEmpty()) {
			properties.add("spring.data.redis.host=" + RedisServer.HOST);
			properties.add("spring.data.redis.port=" + links.get(0).port());
		}
		else {
			properties.add("spring.data.redis.sentinel.master=" + RedisSentinels.NAME);
			properties.add("spring.data.redis.sentinel.nodes=" + this.sentinelPorts.stream()
				.map((port) -> RedisServer.HOST + ":" + port)
				.collect(Collectors.joining(",")));
			properties.add("chaos.detours=" + IntStream.range(0, links.size())
				.mapToObj((i) -> this.ports.get(i) + ":" + links.get(i).port())
				.collect(Collectors.joining(",")));
		}
		return properties;
	}

	@Override
	public Map<FaultKind, StoreFault> faults() {
		return this.faults;
	}

	@Override
	public List<Writes> writes() {
		WritesByToken writes = new WritesByToken();
		this.register.ask((jedis) -> {
			List<String> page;
			long position = 0;
			do {
				page = jedis.lrange(REGISTER, position, position + PAGE - 1);
				for (String entry : page) {
					String[] parts = entry.split(" ");
					writes.add(parts[1], Long.parseLong(parts[0]), position++);
				}
			}
			while (!page.isEmpty());
			return position;
		});
		return writes.toList();
	}

	@Override
	public String description() {
		return "Redis %s without persistence, %s; Lettuce %s; the register is in another Redis".formatted(
				this.register.info("server", "redis_version"), this.description,
				RedisClient.class.getPackage().getImplementationVersion().replaceFirst("/.*", ""));
	}

	@Override
	public void close() {
		this.register.close();
		try {
			this.servers.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
