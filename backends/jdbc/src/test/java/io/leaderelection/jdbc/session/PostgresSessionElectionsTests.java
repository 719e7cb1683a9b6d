package io.leaderelection.jdbc.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.LossReason;
import io.leaderelection.Registration;
import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.JdbcMode;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.PostgresServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections whose leases are bound to sessions. Leases are so long that nobody
 * could wait for their end.
 */
@Timeout(120)
class PostgresSessionElectionsTests {

	private static final Duration LONG = Duration.ofMinutes(2);

	/** How often each measurement is made whose figures are printed. */
	private static final int ROUNDS = Integer.getInteger("failover.rounds", 1);

	private final PostgresServer server = PostgresServer.shared();

	private final String table = this.server.createTables();

	private final List<LeaderElections> nodes = new ArrayList<>();

	private final List<HikariDataSource> pools = new ArrayList<>();

	private JdbcTemplate observer;

	private String begun;

	@BeforeEach
	void observe() {
		this.observer = new JdbcTemplate(pool());
		this.begun = this.observer.queryForObject("SELECT CAST(now() AS VARCHAR)", String.class);
	}

	@AfterEach
	void stop() {
		this.nodes.forEach(LeaderElections::close);
		this.pools.forEach(HikariDataSource::close);
	}

	@Test
	void aLeaderThatLosesItsSessionIsReplacedAndKnowsWhy() {
		LeaderElector first = start("first", JdbcMode.SESSION, LONG, "reports").get(0);
		await().until(first::isLeader);
		LeaderElector second = start("second", JdbcMode.SESSION, LONG, "reports").get(0);
		await().until(() -> second.getCurrentLeader().isPresent());
		FencingToken token = first.fencingToken().orElseThrow();
		terminateSession("reports");
		await().until(() -> first.status()
			.transitions()
			.stream()
			.anyMatch((transition) -> transition.reason().filter(LossReason.SESSION_LOST::equals).isPresent()));
		await().until(() -> first.isLeader() || second.isLeader());
		assertThat((first.isLeader() ? first : second).fencingToken().orElseThrow().value())
			.isGreaterThan(token.value());
	}

	/**
	 * The one overlap that sessions allow is printed, not asserted: how long both led.
	 */
	@Test
	void aLeaderWhoseSessionIsTerminatedKnowsSoon() {
		List<LeaderElector> both = List.of(start("first", JdbcMode.SESSION, LONG, "reports").get(0),
				start("second", JdbcMode.SESSION, LONG, "reports").get(0));
		List<Long> overlaps = new ArrayList<>();
		for (int round = 0; round < ROUNDS; round++) {
			await().until(() -> both.stream().anyMatch(LeaderElector::isLeader)
					&& both.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
			LeaderElector leader = both.get(0).isLeader() ? both.get(0) : both.get(1);
			LeaderElector other = (leader == both.get(0)) ? both.get(1) : both.get(0);
			FencingToken token = leader.fencingToken().orElseThrow();
			Registration pausing = leader.onLeadershipLost(() -> leader.operations().pause());
			terminateSession("reports");
			long ledUntil = System.nanoTime();
			while (!other.isLeader()) {
				ledUntil = leader.isLeader() ? System.nanoTime() : ledUntil;
				LockSupport.parkNanos(20_000);
			}
			long replacedAt = System.nanoTime();
			while (leader.isLeader()) {
				ledUntil = System.nanoTime();
			}
			overlaps.add((ledUntil - replacedAt) / 1000);
			assertThat(other.fencingToken().orElseThrow().value()).isGreaterThan(token.value());
			pausing.close();
			leader.operations().resume();
		}
		System.out.printf("%s: microseconds from the next leader's begin to the former one's end: %s%n",
				getClass().getSimpleName(), overlaps.stream().sorted().toList());
	}

	@Test
	void afterARestartOfTheServerThereIsOneLeaderAgain() throws Exception {
		Duration lease = Duration.ofSeconds(3);
		List<LeaderElector> electors = new ArrayList<>();
		for (String node : List.of("a", "b", "c")) {
			electors.addAll(start(node, JdbcMode.SESSION, lease, "reports"));
		}
		List<Long> millis = new ArrayList<>();
		try (Overlaps overlaps = new Overlaps(electors)) {
			assertThat(overlaps).isNotNull();
			for (int round = 0; round < ROUNDS; round++) {
				await().until(() -> electors.stream().anyMatch(LeaderElector::isLeader)
						&& electors.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
				long token = electors.get(0).getCurrentLeader().orElseThrow().token().value();
				long begun = System.nanoTime();
				this.server.restart();
				long isBack = System.nanoTime();
				await().until(() -> electors.stream().anyMatch(LeaderElector::isLeader));
				long leads = System.nanoTime();
				millis.addAll(List.of((leads - begun) / 1_000_000, (leads - isBack) / 1_000_000));
				await().until(() -> electors.stream()
					.allMatch((elector) -> elector.getCurrentLeader()
						.filter((leader) -> leader.token().value() > token)
						.isPresent()));
			}
		}
		System.out.printf("%s: milliseconds from the stop of the server, and from its return, to the next leader: %s%n",
				getClass().getSimpleName(), millis);
	}

	@Test
	void aThousandElectionsOfANodeTakeOneConnectionAndOneLock() {
		String[] names = IntStream.range(0, 1_000).mapToObj((i) -> "election-" + i).toArray(String[]::new);
		List<LeaderElector> first = start("first", JdbcMode.SESSION, LONG, names);
		await().until(() -> first.stream().allMatch(LeaderElector::isLeader));
		List<LeaderElector> second = start("second", JdbcMode.SESSION, LONG, names);
		await().until(() -> second.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
		// a follower knows the leader before it has a session of its own
		await().until(() -> locks() == 2);
		assertThat(count("pg_stat_activity a WHERE application_name = 'leader-election session'")).isEqualTo(2);
		first.forEach((elector) -> elector.onLeadershipLost(() -> elector.operations().pause()));
		long ended = System.nanoTime();
		terminateSession("election-0");
		await().until(() -> second.stream().allMatch(LeaderElector::isLeader));
		System.out.printf("%s: a thousand elections were taken over in %d ms%n", getClass().getSimpleName(),
				Duration.ofNanos(System.nanoTime() - ended).toMillis());
		await().until(() -> locks() == 2);
	}

	@Test
	void nodesOfDifferentModesNeverLeadTogether() {
		Duration lease = Duration.ofSeconds(1);
		LeaderElector byTime = start("time", JdbcMode.LEASE, lease, "reports").get(0);
		LeaderElector bySession = start("session", JdbcMode.SESSION, lease, "reports").get(0);
		List<LeaderElector> both = List.of(byTime, bySession);
		await().until(() -> both.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
		Set<LeaderElector> handedOver = new HashSet<>();
		try (Overlaps overlaps = new Overlaps(both)) {
			assertThat(overlaps).isNotNull();
			for (int i = 0; i < 6; i++) {
				LeaderElector leader = byTime.isLeader() ? byTime : bySession;
				LeaderElector other = (leader == byTime) ? bySession : byTime;
				await().until(() -> {
					// again and again: it may have lost its session just now, and had
					// nothing to give up
					leader.operations().stepDown(lease);
					return other.isLeader();
				});
				handedOver.add(leader);
				terminateSession("reports");
				await().until(() -> both.stream().anyMatch(LeaderElector::isLeader));
			}
		}
		assertThat(handedOver).containsExactlyInAnyOrderElementsOf(both);
	}

	private List<LeaderElector> start(String nodeId, JdbcMode mode, Duration lease, String... elections) {
		LeaderElections node = LeaderElections.on(JdbcLeaseStore.on(pool()).tableName(this.table).mode(mode).build())
			.nodeId(nodeId)
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		List<LeaderElector> electors = IntStream.range(0, elections.length)
			.mapToObj((i) -> node.elector(elections[i]))
			.toList();
		node.start();
		return electors;
	}

	/** A pool of one connection is enough. */
	private HikariDataSource pool() {
		HikariDataSource pool = this.server.pool(1);
		this.pools.add(pool);
		return pool;
	}

	private void terminateSession(String election) {
		this.observer.queryForList(
				("SELECT pg_terminate_backend(l.pid) FROM pg_locks l, %s t WHERE t.ELECTION = ? "
						+ "AND l.locktype = 'advisory' AND l.granted AND l.mode = 'ExclusiveLock' "
						+ "AND (CAST(l.classid AS BIGINT) << 32 | CAST(l.objid AS BIGINT)) = "
						+ "CAST(substring(t.OWNER_INCARNATION FROM '[0-9]+$') AS BIGINT)")
					.formatted(this.table),
				election);
	}

	private int locks() {
		return count(
				"pg_locks JOIN pg_stat_activity a USING (pid) WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'");
	}

	/** Of what is on the server since this test began: it serves other tests, too. */
	private int count(String from) {
		Integer count = this.observer.queryForObject(
				"SELECT COUNT(*) FROM %s AND a.backend_start > CAST('%s' AS TIMESTAMPTZ)".formatted(from, this.begun),
				Integer.class);
		return (count != null) ? count : -1;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

}
