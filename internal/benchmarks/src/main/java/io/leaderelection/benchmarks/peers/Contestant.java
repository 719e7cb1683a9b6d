package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaderelection.benchmarks.peers.store.StoreKind;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part, with which settings.
 */
public enum Contestant {

	OURS_REDIS("Redis", "Ours", StoreKind.REDIS, "lease of the run, defaults otherwise", Family.OURS, Family.REDIS),

	OURS_POSTGRESQL("PostgreSQL", "Ours", StoreKind.POSTGRESQL,
			"lease of the run, defaults otherwise; Hikari's defaults", Family.OURS, Family.JDBC),

	OURS_POSTGRESQL_SESSION("PostgreSQL session", "Ours", StoreKind.POSTGRESQL,
			"`leader-election.jdbc.mode=session` without a takeover delay, which leaves a window of milliseconds with two leaders; lease of the run, defaults otherwise; Hikari's defaults",
			Family.OURS, Family.JDBC),

	OURS_ZOOKEEPER("ZooKeeper", "Ours", StoreKind.ZOOKEEPER, "lease of the run, defaults otherwise", Family.OURS,
			Family.ZOOKEEPER),

	CURATOR("Curator LeaderLatch", "CuratorLatch", StoreKind.ZOOKEEPER,
			"session timeout = lease (default: 60 s), `ExponentialBackoffRetry(1000, 3)` as in its examples; latches closed before the client",
			Family.ZOOKEEPER),

	INTEGRATION_ZOOKEEPER("Spring Integration, ZooKeeper", "IntegrationZooKeeper", StoreKind.ZOOKEEPER,
			"`LeaderInitiator` beans; client as for Curator", Family.ZOOKEEPER, Family.INTEGRATION),

	INTEGRATION_REDIS("Spring Integration, Redis", "IntegrationRedis", StoreKind.REDIS,
			"`LockRegistryLeaderInitiator` beans, heartbeat 500 ms and busy wait 50 ms by default; `RedisLockRegistry` that expires after the lease (default: 60 s), `PUB_SUB_LOCK`, which its manual prefers (default: `SPIN_LOCK`)",
			Family.REDIS, Family.INTEGRATION),

	INTEGRATION_JDBC("Spring Integration, PostgreSQL", "IntegrationJdbc", StoreKind.POSTGRESQL,
			"`LockRegistryLeaderInitiator` beans as for Redis; `JdbcLockRegistry` with the lease as time to live (default: 10 s), insert with `ON CONFLICT DO NOTHING` as its manual says; Hikari's defaults",
			Family.JDBC, Family.INTEGRATION),

	REDISSON("Redisson RFencedLock", "RedissonLock", StoreKind.REDIS,
			"watchdog timeout = lease (default: 30 s); a thread per lock, which checks every third of a lease whether it still holds the lock; `isLeader()` is `isHeldByThread`, which sends a request to Redis",
			Family.REDISSON),

	FABRIC8("fabric8 LeaderElector", "Fabric8", StoreKind.KUBERNETES,
			"renew deadline 2/3 and retry period 2/15 of the lease, as in its documentation; `releaseOnCancel`; restarted when it ends; a flag set by its callbacks for `isLeader()`; its own mock server as API server",
			Family.KUBERNETES),

	SHEDLOCK_REDIS("ShedLock, Redis", null, StoreKind.REDIS,
			"a guard, not an elector: `DefaultLockingTaskExecutor`, `lockAtMostFor` 10 s, `lockAtLeastFor` 0",
			Family.REDIS, Family.SHEDLOCK),

	SHEDLOCK_JDBC("ShedLock, PostgreSQL", null, StoreKind.POSTGRESQL, "as above, on one open connection", Family.JDBC,
			Family.SHEDLOCK);

	private final String label;

	private final @Nullable String configuration;

	private final StoreKind store;

	private final String settings;

	private final Set<Family> families;

	Contestant(String label, @Nullable String configuration, StoreKind store, String settings, Family... families) {
		this.label = "Ours".equals(configuration) ? "**ours, " + label + "**" : label;
		this.configuration = configuration;
		this.store = store;
		this.settings = settings;
		this.families = EnumSet.copyOf(List.of(families));
	}

	/**
	 * Those that elect leaders.
	 * @return the contestants of all experiments but one
	 */
	static List<Contestant> electing() {
		return Stream.of(values()).filter(Contestant::elects).toList();
	}

	/**
	 * The contestant of that id.
	 * @param id as {@link #id()}
	 * @return the contestant
	 * @throws IllegalArgumentException if there is none
	 */
	public static Contestant of(String id) {
		return Stream.of(values())
			.filter((contestant) -> contestant.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no contestant '%s', only %s".formatted(id,
					Arrays.stream(values()).map(Contestant::id).collect(Collectors.joining(", ")))));
	}

	/**
	 * What it is called in files and on the command line.
	 * @return the id
	 */
	public String id() {
		return name().toLowerCase().replace('_', '-');
	}

	/**
	 * What it is called on the page.
	 * @return the label, ours in bold
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Whether it is this project.
	 * @return true if so
	 */
	public boolean ours() {
		return "Ours".equals(this.configuration);
	}

	/**
	 * What was set, and what was left alone.
	 * @return the settings, as Markdown
	 */
	public String settings() {
		return this.settings;
	}

	boolean elects() {
		return this.configuration != null;
	}

	StoreKind store() {
		return this.store;
	}

	String configuration() {
		if (this.configuration == null) {
			throw new IllegalStateException(id() + " elects nobody");
		}
		return this.configuration;
	}

	/**
	 * What the application of this contestant has on its class path.
	 * @param web whether it has a web server
	 * @return the families
	 */
	Set<Family> families(boolean web) {
		Set<Family> all = EnumSet.copyOf(this.families);
		if (web) {
			all.add(Family.WEB);
		}
		return all;
	}

	/**
	 * What a web application has that uses the same store, and elects nobody.
	 * @return the families
	 */
	Set<Family> bareFamilies() {
		Set<Family> bare = families(true);
		bare.retainAll(EnumSet.of(Family.WEB, Family.REDIS, Family.JDBC));
		return bare;
	}

	/**
	 * What its application needs to know.
	 * @param id of the node
	 * @param lease how long a lease lasts
	 * @param port where the store is
	 * @return properties as {@code name=value}
	 */
	List<String> properties(String id, Duration lease, int port) {
		List<String> properties = new ArrayList<>(this.store.properties(port));
		properties.addAll(List.of("node.id=" + id, "node.lease=" + lease.toMillis() + "ms", "node.port=" + port));
		if (ours()) {
			properties.addAll(List.of("leader-election.node-id=" + id,
					"leader-election.lease-duration=" + lease.toMillis() + "ms",
					// without one of its own there would be one more election, named
					// default
					"leader-election.elections.election-00000.lease-duration=" + lease.toMillis() + "ms"));
			properties.addAll(switch (this) {
				case OURS_REDIS -> List.of("leader-election.backend=redis");
				case OURS_POSTGRESQL_SESSION ->
					List.of("leader-election.backend=jdbc", "leader-election.jdbc.mode=session");
				case OURS_ZOOKEEPER -> List.of("leader-election.backend=zookeeper",
						"leader-election.zookeeper.connect-string=127.0.0.1:" + port);
				default -> List.of("leader-election.backend=jdbc");
			});
		}
		return properties;
	}

}
