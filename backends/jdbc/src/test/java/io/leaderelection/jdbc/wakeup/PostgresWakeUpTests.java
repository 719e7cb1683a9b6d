package io.leaderelection.jdbc.wakeup;

import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.IntStream;
import java.util.UUID;

import com.zaxxer.hikari.HikariDataSource;
import io.leaderelection.ElectionSettings;
import io.leaderelection.jdbc.JdbcLeaseStore;
import io.leaderelection.jdbc.sql.DirectConnections;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.servers.PostgresServer;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Wake-ups by PostgreSQL's notifications, and what else is PostgreSQL's own.
 */
@ExtendWith(OutputCaptureExtension.class)
class PostgresWakeUpTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final String ALL = "*";

	private final PostgresServer server = PostgresServer.shared();

	private final String table = this.server.createTables();

	private final Owner owner = new Owner("one", UUID.randomUUID().toString());

	private final Queue<String> hints = new ConcurrentLinkedQueue<>();

	private HikariDataSource pool;

	private JdbcLeaseStore store;

	@BeforeEach
	void open() {
		this.pool = this.server.pool(2);
		this.store = JdbcLeaseStore.on(this.pool).tableName(this.table).build();
	}

	@AfterEach
	void close() {
		this.pool.close();
	}

	@Test
	void aConnectionThatWasTerminatedIsReplacedAndEverybodyWokenUp() throws Exception {
		try (Watch watch = this.store.watch(recording()).orElseThrow()) {
			assertThat(watch).isNotNull();
			long pid = listener();
			this.server.execute("SELECT pg_terminate_backend(%d)".formatted(pid));
			await().until(() -> this.hints.contains(ALL));
			assertThat(listener()).isNotEqualTo(pid);
			releaseOne();
			await().until(() -> this.hints.contains("reports"));
		}
	}

	@Test
	void theConnectionIsNotOneOfThePool() throws Exception {
		try (Watch watch = this.store.watch(recording()).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
			assertThat(listener()).isPositive();
		}
		await().untilAsserted(() -> assertThat(listeners()).isEmpty());
	}

	@Test
	void watchingTakesOneThread() throws Exception {
		try (Watch watch = this.store.watch(recording()).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(threads()).isOne();
		}
		await().until(() -> threads() == 0);
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("leader-election-wake-ups"))
			.count();
	}

	@Test
	void onlyALeaseThatWasHeldIsAnnounced() throws Exception {
		try (Watch watch = this.store.watch(recording()).orElseThrow()) {
			assertThat(watch).isNotNull();
			this.store.release(List.of(new Lease("never-held", this.owner, 1, LEASE)));
			releaseOne();
			await().until(() -> this.hints.contains("reports"));
			assertThat(this.hints).containsExactly("reports");
		}
	}

	@Test
	void aConnectionThatLosesNotificationsIsNotUsedNorTriedTwice(CapturedOutput output) throws Exception {
		AtomicInteger sent = new AtomicInteger();
		WakeUpSource source = new WakeUpSource(DirectConnections.besides(this.pool));
		for (int i = 0; i < 3; i++) {
			assertThat(source.watch("deaf", recording(), (channel, payload) -> sent.incrementAndGet())).isEmpty();
		}
		assertThat(sent).hasValue(1);
		assertThat(threads()).isZero();
		assertThat(output).containsOnlyOnce("a notification on channel \"deaf\" did not arrive");
	}

	@Test
	void anElectionWhoseCallsTimeOutSoonerThanThatIsNotDisturbed(CapturedOutput output) {
		PGSimpleDataSource deaf = new PGSimpleDataSource();
		// notifications stay within their database
		deaf.setUrl(this.server.url().replaceFirst("/postgres$", "/template1"));
		deaf.setUser(this.server.user());
		deaf.setPassword(this.server.password());
		try (LeaderElections node = LeaderElections
			.on(JdbcLeaseStore.on(this.pool).tableName(this.table).wakeUpsFrom(deaf).build())
			.nodeId("one")
			.settings(ElectionSettings.ofLease(Duration.ofSeconds(1)))
			.build()) {
			LeaderElector elector = node.elector("reports");
			node.start();
			await().until(() -> output.getAll().contains("did not arrive"));
			await().pollDelay(Duration.ofSeconds(2))
				.until(() -> elector.isLeader() && elector.status().failuresInARow() == 0);
			assertThat(output).containsOnlyOnce("did not arrive");
		}
	}

	@Test
	void aConnectionThatIsRefusedIsNotAskedForAgain() {
		PGSimpleDataSource unknown = new PGSimpleDataSource();
		unknown.setUrl(this.server.url());
		unknown.setUser("nobody");
		assertThat(JdbcLeaseStore.on(this.pool).tableName(this.table).wakeUpsFrom(unknown).build().watch(recording()))
			.isEmpty();
	}

	@Test
	void aConnectionThatCannotBeHadNowIsAskedForAgain() {
		PGSimpleDataSource nowhere = new PGSimpleDataSource();
		nowhere.setUrl("jdbc:postgresql://localhost:1/postgres");
		JdbcLeaseStore opened = JdbcLeaseStore.on(this.pool).tableName(this.table).wakeUpsFrom(nowhere).build();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> opened.watch(recording()));
	}

	@Test
	@Timeout(30)
	void aLoginThatIsNeverAnsweredIsGivenUp() throws Exception {
		int port = URI.create(this.server.url().substring("jdbc:".length())).getPort();
		try (TcpProxy proxy = new TcpProxy(() -> port); HikariDataSource proxied = new HikariDataSource()) {
			proxied.setJdbcUrl(this.server.url().replace(":" + port + "/", ":" + proxy.port() + "/"));
			WakeUpSource source = new WakeUpSource(DirectConnections.besides(proxied));
			proxy.swallow();
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> source.watch("channel", recording(), (channel, payload) -> {
				}));
		}
	}

	@Test
	void aDataSourceWhoseUrlIsUnknownGivesNoWakeUps() {
		JdbcLeaseStore opaque = JdbcLeaseStore.on(new OpaqueDataSource(this.pool)).tableName(this.table).build();
		assertThat(opaque.watch(recording())).isEmpty();
		assertThat(JdbcLeaseStore.on(this.pool).tableName(this.table).withoutWakeUps().build().watch(recording()))
			.isEmpty();
	}

	@Test
	void wakeUpsComeFromWhereTheyAreToldTo() throws Exception {
		JdbcLeaseStore opaque = JdbcLeaseStore.on(new OpaqueDataSource(this.pool))
			.tableName(this.table)
			.wakeUpsFrom(this.pool)
			.build();
		Optional<Watch> watch = opaque.watch(recording());
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isOne();
		releaseOne();
		await().until(() -> this.hints.contains("reports"));
		watch.orElseThrow().close();
	}

	@Test
	void aHundredRenewalsAreOneStatementToTheServer() throws Exception {
		this.server.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
		List<AcquireRequest> candidacies = IntStream.range(0, 100)
			.mapToObj((i) -> new AcquireRequest("election-" + i, this.owner, LEASE, 0, true))
			.toList();
		List<RenewRequest> renewals = new ArrayList<>();
		this.store.acquire(candidacies)
			.forEach((granted) -> renewals.add(new RenewRequest(
					new Lease("election-" + renewals.size(), this.owner, ((Granted) granted).token(), LEASE), false)));
		try (HikariDataSource observer = this.server.pool(1);
				Connection connection = observer.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_stat_statements_reset()");
			for (int i = 0; i < 10; i++) {
				this.store.renew(renewals);
			}
			List<String> seen = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery("SELECT calls, rows, left(query, 20) FROM pg_stat_statements "
					+ "WHERE query ~* '\\m%s\\M'".formatted(this.table))) {
				while (rows.next()) {
					seen.add("%d %d %s".formatted(rows.getLong(1), rows.getLong(2), rows.getString(3)));
				}
			}
			assertThat(seen).singleElement().asString().startsWith("10 1000 UPDATE");
		}
	}

	@Test
	void aSilentServerIsGivenUpSoon() throws Exception {
		// the driver waits for its cancel request, 10 seconds by default
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.server.url() + "?cancelSignalTimeout=1");
		dataSource.setUser(this.server.user());
		SingleConnectionDataSource connected = new SingleConnectionDataSource(dataSource.getConnection(), true);
		JdbcLeaseStore impatient = JdbcLeaseStore.on(connected)
			.tableName(this.table)
			.queryTimeout(Duration.ofSeconds(1))
			.build();
		impatient.read("reports");
		this.server.pause();
		try {
			assertThat(CompletableFuture.supplyAsync(() -> impatient.read("reports")))
				.failsWithin(Duration.ofSeconds(8))
				.withThrowableThat()
				.withCauseInstanceOf(LeaseStoreException.class);
		}
		finally {
			this.server.resume();
		}
	}

	private void releaseOne() {
		Granted granted = (Granted) this.store
			.acquire(List.of(new AcquireRequest("reports", this.owner, LEASE, 0, true)))
			.get(0);
		this.store.release(List.of(new Lease("reports", this.owner, granted.token(), LEASE)));
	}

	private long listener() throws Exception {
		List<Long> pids = listeners();
		assertThat(pids).hasSize(1);
		return pids.get(0);
	}

	private List<Long> listeners() throws Exception {
		List<Long> pids = new ArrayList<>();
		try (Connection connection = this.pool.getConnection();
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN \"%s\"'"
					.formatted(this.table.toLowerCase()))) {
			while (rows.next()) {
				pids.add(rows.getLong(1));
			}
		}
		return pids;
	}

	private WakeUps recording() {
		return new WakeUps() {

			@Override
			public void wakeUp(String election) {
				PostgresWakeUpTests.this.hints.add(election);
			}

			@Override
			public void wakeUpAll() {
				PostgresWakeUpTests.this.hints.add(ALL);
			}

			@Override
			public void leasesLost() {
				throw new AssertionError("No lease is bound to the connection that hints come on");
			}

		};
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(20));
	}

	/**
	 * Does not say what it is made of.
	 */
	private static final class OpaqueDataSource extends AbstractDataSource {

		private final HikariDataSource target;

		private OpaqueDataSource(HikariDataSource target) {
			this.target = target;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return this.target.getConnection();
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return this.target.getConnection(username, password);
		}

	}

}
