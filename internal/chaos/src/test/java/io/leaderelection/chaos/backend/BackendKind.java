package io.leaderelection.chaos.backend;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.servers.MariaDbServer;
import io.leaderelection.servers.PostgresServer;

/**
 * The stores that chaos can be done on.
 */
public enum BackendKind {

	REDIS("Redis", RedisBackend::alone),

	REDIS_SENTINEL("Redis with Sentinel", RedisBackend::withSentinels),

	ZOOKEEPER("ZooKeeper", ZooKeeperBackend::alone),

	ZOOKEEPER_ENSEMBLE("ZooKeeper, ensemble", ZooKeeperBackend::ensemble),

	POSTGRESQL("PostgreSQL", () -> new JdbcBackend(PostgresServer.shared())),

	POSTGRESQL_SESSION("PostgreSQL, session mode",
			() -> new JdbcBackend(PostgresServer.shared(), "leader-election.jdbc.mode=session").without(FaultKind.RESET,
					"connections are not reset, which is a documented limit without a delay")),

	POSTGRESQL_SESSION_DELAYED("PostgreSQL, session mode with a takeover delay of one lease",
			() -> new JdbcBackend(PostgresServer.shared(), "leader-election.jdbc.mode=session",
					"leader-election.jdbc.takeover-delay=${leader-election.lease-duration}")),

	MARIADB("MariaDB", () -> new JdbcBackend(MariaDbServer.shared()));

	private final String title;

	private final Supplier<Backend> start;

	BackendKind(String title, Supplier<Backend> start) {
		this.title = title;
		this.start = start;
	}

	/**
	 * Reads a list of names.
	 * @param names names separated by commas, or {@code all}
	 * @return the kinds
	 */
	public static List<BackendKind> parse(String names) {
		return names.equals("all") ? List.of(values()) : Stream.of(names.split(","))
			.map((name) -> Arrays.stream(values())
				.filter((kind) -> kind.id().equals(name.strip()))
				.findFirst()
				.orElseThrow(
						() -> new IllegalArgumentException("chaos.backends is '%s', but must be 'all' or some of %s"
							.formatted(names, Arrays.stream(values()).map(BackendKind::id).toList()))))
			.toList();
	}

	/**
	 * The name for properties and files.
	 * @return the id
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * The name for people.
	 * @return the title
	 */
	public String title() {
		return this.title;
	}

	public Backend start() {
		return this.start.get();
	}

	@Override
	public String toString() {
		return this.id();
	}

}
