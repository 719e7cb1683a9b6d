package io.leaderelection.jdbc.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.JdbcMode;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.PostgresReplica;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.store.ExplainedLeaseStoreException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two nodes, a server and its standby, which is promoted. One node is cut off from the
 * former server and knows it; the other one leads, hears nothing any more, and is not
 * told. Until it is promoted the standby is refused.
 */
@Timeout(240)
class PostgresPromotionTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	private final PostgresServer primary = PostgresServer.shared();

	private final String table = this.primary.createTables();

	private final TcpProxy replication = new TcpProxy(this::primaryPort);

	private final TcpProxy linkOfTheFollower = new TcpProxy(this::primaryPort);

	private final TcpProxy linkOfTheLeader = new TcpProxy(this::presentPort);

	private final List<AutoCloseable> open = new ArrayList<>(
			List.of(this.replication, this.linkOfTheFollower, this.linkOfTheLeader));

	private PostgresReplica replica;

	private volatile boolean promoted;

	@BeforeEach
	void replicate() throws Exception {
		this.replica = new PostgresReplica(this.primary, this.replication.port());
		this.open.add(this.replica);
	}

	@AfterEach
	void stop() throws Exception {
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	/**
	 * In the lease mode the standby has all commits, for which the leader has to be cut
	 * off first. With sessions it misses the last leader, who goes on to renew its lease
	 * on the former server until the end: what the standby knows is a lease that is free.
	 */
	@ParameterizedTest
	@EnumSource(JdbcMode.class)
	void aPromotionMakesNoTwoLeaders(JdbcMode mode) throws Exception {
		assertStandbyIsRefused(mode);
		LeaderElector follower = start("follower", mode,
				"jdbc:postgresql://localhost:%d,localhost:%d/postgres?targetServerType=primary"
					.formatted(this.linkOfTheFollower.port(), this.replica.port()));
		await().until(follower::isLeader);
		LeaderElector leader = start("leader", mode,
				"jdbc:postgresql://localhost:%d/postgres".formatted(this.linkOfTheLeader.port()));
		await().until(() -> leader.getCurrentLeader().isPresent());
		if (mode == JdbcMode.SESSION) {
			awaitReplay();
			this.replication.swallow();
		}
		follower.operations().stepDown(LEASE.multipliedBy(10));
		await().until(leader::isLeader);
		// from now on it takes whatever it is given
		follower.tryBecomeLeader();
		long token = leader.fencingToken().orElseThrow().value();
		try (Overlaps overlaps = new Overlaps(List.of(follower, leader))) {
			assertThat(overlaps).isNotNull();
			if (mode == JdbcMode.LEASE) {
				this.linkOfTheLeader.swallow();
				awaitReplay();
			}
			this.replica.promote();
			this.promoted = true;
			this.linkOfTheLeader.swallow();
			this.linkOfTheFollower.close();
			await().until(follower::isLeader);
			this.linkOfTheLeader.forwardNewOnly();
			await().until(() -> leader.getCurrentLeader()
				.filter((present) -> present.nodeId().equals("follower"))
				.isPresent());
		}
		assertThat(follower.fencingToken().orElseThrow().value()).isGreaterThan(token);
	}

	private void assertStandbyIsRefused(JdbcMode mode) {
		try (HikariDataSource pool = pool(this.replica.url());
				JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(this.table).mode(mode).build()) {
			assertThatExceptionOfType(ExplainedLeaseStoreException.class).isThrownBy(store::validate)
				.withMessageContaining("read-only");
		}
	}

	/** Also for what is committed and not written yet: the server here does not wait. */
	private void awaitReplay() {
		String written;
		try (HikariDataSource pool = this.primary.pool(1)) {
			written = new JdbcTemplate(pool).queryForObject("SELECT pg_current_wal_insert_lsn()", String.class);
		}
		await().until(() -> this.replica.hasReplayed(written));
	}

	private LeaderElector start(String nodeId, JdbcMode mode, String url) {
		HikariDataSource pool = pool(url);
		this.open.add(pool);
		JdbcLeaseStore store = JdbcLeaseStore.on(pool).tableName(this.table).mode(mode).build();
		LeaderElections node = LeaderElections.on(store)
			.nodeId(nodeId)
			.settings(ElectionSettings.ofLease(LEASE))
			.build();
		this.open.add(node::close);
		LeaderElector elector = node.elector("reports");
		node.start();
		return elector;
	}

	private HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername(this.primary.user());
		pool.setPassword(this.primary.password());
		pool.setMaximumPoolSize(1);
		return pool;
	}

	private int primaryPort() {
		return this.primary.port();
	}

	private int presentPort() {
		return this.promoted ? this.replica.port() : primaryPort();
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(90));
	}

}
