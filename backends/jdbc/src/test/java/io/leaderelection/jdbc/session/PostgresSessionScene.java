package io.leaderelection.jdbc.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.List;
import java.util.Queue;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.JdbcMode;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes whose leases are bound to sessions, on tables of their own, and somebody who
 * watches the server.
 */
abstract class PostgresSessionScene {

	static final Duration LEASE = Duration.ofSeconds(20);

	static final Duration SHORT = Duration.ofSeconds(2);

	static final String ELECTION = "reports";

	final PostgresServer server = PostgresServer.shared();

	final String table = this.server.createTables();

	private final List<Node> nodes = new ArrayList<>();

	final HikariDataSource observing = this.server.pool(2);

	final JdbcTemplate observer = new JdbcTemplate(this.observing);

	@AfterEach
	void close() {
		this.nodes.forEach(Node::close);
		this.observing.close();
	}

	/** Those who wait right now, or are between two slices. */
	int waiting() {
		Integer waiting = this.observer.queryForObject(
				"SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'leader-election sessions'",
				Integer.class);
		return (waiting != null) ? waiting : 0;
	}

	List<Long> sessions() {
		return this.observer.queryForList(
				"SELECT pid FROM pg_stat_activity WHERE application_name = 'leader-election session'", Long.class);
	}

	void terminate(long session) {
		this.observer.queryForList("SELECT pg_terminate_backend(CAST(? AS INTEGER))", session);
	}

	static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("leader-election"))
			.toList();
	}

	static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(20));
	}

	/**
	 * The row of the election.
	 */
	record Row(long token, String incarnation) {
	}

	/**
	 * A node's store, and what it was told.
	 */
	final class Node implements WakeUps {

		final Owner owner;

		private final HikariDataSource pool = PostgresSessionScene.this.server.pool(1);

		final JdbcLeaseStore store;

		final Queue<String> heard = new ConcurrentLinkedQueue<>();

		private Watch watch;

		long session;

		Node(String id) {
			this(id, JdbcLeaseStore.Builder::build, true);
		}

		Node(String id, Function<JdbcLeaseStore.Builder, JdbcLeaseStore> building, boolean watching) {
			this.owner = new Owner(id, UUID.randomUUID().toString());
			this.store = building
				.apply(JdbcLeaseStore.on(this.pool).tableName(PostgresSessionScene.this.table).mode(JdbcMode.SESSION));
			PostgresSessionScene.this.nodes.add(this);
			if (watching) {
				watch();
			}
		}

		void watch() {
			this.watch = this.store.watch(this).orElseThrow();
			this.heard.remove("all");
		}

		void unwatch() {
			this.watch.close();
		}

		AcquireResult asks(Duration lease) {
			return asks(ELECTION, lease);
		}

		AcquireResult asks(String election, Duration lease) {
			return this.store.acquire(List.of(new AcquireRequest(election, this.owner, lease, 0, true))).get(0);
		}

		Lease wins(Duration lease) {
			return wins(ELECTION, lease);
		}

		Lease wins(String election, Duration lease) {
			AcquireResult answer = asks(election, lease);
			assertThat(answer).isInstanceOf(Granted.class);
			this.session = lookForSession();
			return new Lease(election, this.owner, ((Granted) answer).token(), lease);
		}

		Held isRefused(Duration lease) {
			AcquireResult answer = asks(lease);
			assertThat(answer).isInstanceOf(Held.class);
			return (Held) answer;
		}

		/** Is refused, and waits for the session of the holder from then on. */
		void standsBy(Duration lease) {
			isRefused(lease);
			await().until(() -> waiting() > 0);
			this.heard.clear();
		}

		RenewResult renews(Lease lease) {
			return this.store.renew(List.of(new RenewRequest(lease, false))).get(0);
		}

		void releases(Lease lease) {
			this.store.release(List.of(lease));
		}

		Row row() {
			return PostgresSessionScene.this.observer.queryForObject(
					"SELECT TOKEN, OWNER_INCARNATION FROM " + PostgresSessionScene.this.table,
					(row, number) -> new Row(row.getLong(1), row.getString(2)));
		}

		long key() {
			return SessionMark.of(row().incarnation()).orElseThrow().key();
		}

		/** The server process of the session that a lease is bound to, if it is. */
		private long lookForSession() {
			List<Long> pids = PostgresSessionScene.this.observer.queryForList(
					("SELECT l.pid FROM pg_locks l JOIN %s t ON t.OWNER_NODE = ? WHERE l.locktype = 'advisory' AND l.granted "
							+ "AND (CAST(l.classid AS BIGINT) << 32 | CAST(l.objid AS BIGINT)) = "
							+ "CAST(substring(t.OWNER_INCARNATION FROM '[0-9]+$') AS BIGINT)")
						.formatted(PostgresSessionScene.this.table),
					Long.class, this.owner.nodeId());
			return pids.stream().findFirst().orElse(0L);
		}

		void loseSession() {
			terminate(this.session);
		}

		void hears(String what) {
			await().until(() -> this.heard.contains(what));
		}

		@Override
		public void wakeUp(String election) {
			this.heard.add(election);
		}

		@Override
		public void wakeUpAll() {
			this.heard.add("all");
		}

		@Override
		public void leasesLost() {
			this.heard.add("lost");
		}

		void close() {
			if (this.watch != null) {
				this.watch.close();
			}
			this.store.close();
			this.pool.close();
		}

	}

}
