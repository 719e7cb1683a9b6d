package io.leaderelection.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.TimeUnit;
import java.util.List;
import java.util.stream.IntStream;

import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Absent;
import io.leaderelection.store.RenewResult.Renewed;
import org.assertj.core.api.Assumptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * What the scripts cost, and what they leave behind.
 */
class RedisScriptsTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static final String KEY = "{leader-election}:reports";

	private static RedisServer server;

	private final RedisClients clients = new RedisClients();

	private RedisLeaseStore store;

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void connect() {
		server.ask(Jedis::flushAll);
		this.store = new RedisLeaseStore(this.clients.lettuce(server));
	}

	@AfterEach
	void closeClients() {
		this.clients.close();
	}

	@Test
	void oneCallAcquiresRenewsOrReleasesAHundredLeases() {
		Candidate node = Candidate.of(this.store, LEASE);
		List<String> elections = IntStream.range(0, 100).mapToObj((i) -> "election " + i).toList();
		this.store.acquire(elections.stream().map((election) -> node.candidacy(election, 0)).toList());
		server.ask(Jedis::configResetStat);
		List<AcquireResult> answers = this.store
			.acquire(elections.stream().map((election) -> node.candidacy(election, 0)).toList());
		assertThat(scriptCalls()).isOne();
		List<Lease> leases = IntStream.range(0, 100)
			.mapToObj((i) -> new Lease(elections.get(i), node.owner(), ((Granted) answers.get(i)).token(), LEASE))
			.toList();
		List<RenewRequest> renewals = leases.stream().map((lease) -> new RenewRequest(lease, false)).toList();
		assertThat(this.store.renew(renewals)).hasSize(100).hasOnlyElementsOfType(Renewed.class);
		this.store.renew(renewals);
		server.ask(Jedis::configResetStat);
		this.store.renew(renewals);
		assertThat(scriptCalls()).isOne();
		assertThat(calls("eval")).isZero();
		this.store.release(leases);
		server.ask(Jedis::configResetStat);
		this.store.release(leases);
		assertThat(scriptCalls()).isOne();
	}

	@Test
	void thousandsOfLeasesAreRenewedInPartsSoThatTheServerIsNotHeldUp() {
		Candidate node = Candidate.of(this.store, LEASE);
		List<AcquireRequest> candidacies = IntStream.range(0, 1200)
			.mapToObj((i) -> node.candidacy("election " + i, 0))
			.toList();
		List<AcquireResult> answers = this.store.acquire(candidacies);
		server.ask(Jedis::configResetStat);
		assertThat(this.store.acquire(candidacies)).isEqualTo(answers).hasSize(1200);
		assertThat(scriptCalls()).isEqualTo(3);
	}

	@Test
	void aServerThatHasForgottenTheScriptsIsToldThemOnce() {
		Candidate node = Candidate.of(this.store, LEASE);
		Lease lease = node.wins("reports");
		node.renews(lease);
		server.ask(Jedis::scriptFlush);
		server.ask(Jedis::configResetStat);
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(calls("eval")).isOne();
		assertThat(calls("evalsha")).isEqualTo(2);
	}

	@Test
	void theAnswerToAnEarlierCallIsNotTakenForOurs() {
		RedisConnectionFactory behind = oneAnswerBehind(this.clients.lettuce(server));
		Candidate node = Candidate.of(this.store, LEASE);
		Lease lease = node.wins("reports");
		Candidate confused = node.on(new RedisLeaseStore(behind));
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> confused.renews(lease));
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> confused.renews(lease))
			.withMessageContaining("[renewed]");
	}

	private static RedisConnectionFactory oneAnswerBehind(RedisConnectionFactory real) {
		AtomicReference<Object> unread = new AtomicReference<>(List.of());
		RedisScriptingCommands commands = mock(RedisScriptingCommands.class, (call) -> {
			try (RedisConnection connection = real.getConnection()) {
				return unread
					.getAndSet(call.getMethod().invoke(connection.scriptingCommands(), call.getRawArguments()));
			}
		});
		RedisConnection connection = mock();
		given(connection.scriptingCommands()).willReturn(commands);
		RedisConnectionFactory behind = mock();
		given(behind.getConnection()).willReturn(connection);
		return behind;
	}

	@Test
	void aConnectionThatIsOutOfStepIsLeft() {
		RedisConnectionFactory connectionFactory = this.clients.jedis(server);
		RedisLeaseStore store = new RedisLeaseStore(connectionFactory);
		Candidate node = Candidate.of(store, LEASE);
		Lease lease = node.wins("reports");
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
		leaveAnAnswerUnread(connectionFactory, node, lease);
		server.ask((jedis) -> jedis.del(KEY));
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> node.renews(lease))
			.withMessageContaining("not understood");
		assertThat(node.renews(lease)).isInstanceOf(Absent.class);
	}

	/** As a client does that gives up a subscription which was refused. */
	private void leaveAnAnswerUnread(RedisConnectionFactory connectionFactory, Candidate node, Lease lease) {
		try (RedisConnection connection = connectionFactory.getConnection()) {
			Assumptions.assumeThat(connection.getNativeConnection())
				.as("a connection that can be reached below its pool")
				.isInstanceOf(Jedis.class);
			Jedis jedis = (Jedis) connection.getNativeConnection();
			jedis.getConnection()
				.sendCommand(Protocol.Command.EVALSHA, LeaseScript.RENEW.sha1(), "2", "{leader-election}", KEY,
						"detect", node.owner().nodeId(), node.owner().incarnation(), "10000000",
						String.valueOf(lease.token()), "", "number of another call");
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { (1L << 53) - 1, 1L << 53, (1L << 53) + 1, 9_999_999_999_999_999L, 99_999_999_999_999_999L,
			1_999_999_999_999_999_999L, 9_199_999_999_999_999_999L, Long.MAX_VALUE - 3 })
	void tokensBeyondTheClockAreCountedExactly(long floor) {
		Candidate node = Candidate.of(this.store, LEASE);
		Lease lease = node.wins("reports", floor);
		assertThat(lease.token()).isEqualTo(floor + 1);
		assertThat(node.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(node.renews(new Lease("reports", node.owner(), floor, LEASE))).isNotInstanceOf(Renewed.class);
		node.releases(lease);
		assertThat(Candidate.of(this.store, LEASE).wins("reports").token()).isEqualTo(floor + 2);
	}

	@Test
	void aFloorThatNoTokenExceedsIsRefused() {
		assertThatExceptionOfType(LeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(this.store, LEASE).wins("reports", Long.MAX_VALUE))
			.withMessageContaining("No token is higher");
		assertThat(this.store.read("reports")).isEmpty();
	}

	@Test
	void tokensFollowTheServersClock() {
		List<String> before = server.ask(Jedis::time);
		long token = Candidate.of(this.store, LEASE).wins("reports").token();
		List<String> after = server.ask(Jedis::time);
		assertThat(token).isBetween(micros(before), micros(after));
	}

	@Test
	void aRecordIsForgottenLongAfterItsLastUse() {
		Candidate node = Candidate.of(this.store, LEASE);
		node.releases(node.wins("reports"));
		assertThat(server.<Long>ask((jedis) -> jedis.ttl(KEY))).isBetween(TimeUnit.DAYS.toSeconds(90) - 5,
				TimeUnit.DAYS.toSeconds(90) + 15);
		assertThat(server.<Long>ask(Jedis::dbSize)).isEqualTo(2);
	}

	@Test
	void aRecordWhoseTokenIsAheadOfTheClockIsNeverForgotten() {
		Candidate node = Candidate.of(this.store, LEASE);
		node.wins("reports");
		long floor = (System.currentTimeMillis() + TimeUnit.DAYS.toMillis(100)) * 1000;
		node.wins("reports 2", floor);
		assertThat(server.<Long>ask((jedis) -> jedis.ttl(KEY + " 2"))).isEqualTo(-1);
		assertThat(server.<Long>ask((jedis) -> jedis.ttl(KEY))).isPositive();
	}

	@Test
	void aClockThatWasSetBackProlongsALeaseByItsLengthAtTheMost() {
		Duration lease = Duration.ofMillis(500);
		Candidate.of(this.store, lease).wins("reports");
		long hourAhead = (System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1)) * 1000;
		server.ask((jedis) -> jedis.hset(KEY, "until", String.valueOf(hourAhead)));
		Candidate candidate = Candidate.of(this.store, LEASE);
		assertThat(candidate.isRefused("reports").remaining()).isLessThanOrEqualTo(lease);
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> candidate.asksFor("reports") instanceof Granted);
	}

	@Test
	void thoseWhoStandByAreBounded() {
		Candidate.of(this.store, LEASE).wins("reports");
		for (int i = 0; i < 150; i++) {
			Candidate.of(this.store, LEASE).isRefused("reports");
		}
		assertThat(this.store.read("reports").orElseThrow().candidates()).hasSizeBetween(95, 101);
		assertThat(server.<Long>ask((jedis) -> jedis.hlen(KEY))).isLessThanOrEqualTo(106);
	}

	@Test
	void thoseWhoStoodByLongAgoMakeRoom() {
		Candidate.of(this.store, LEASE).wins("reports");
		for (int i = 0; i < 120; i++) {
			String node = "standby:long gone " + i;
			server.ask((jedis) -> jedis.hset(KEY, node, "1"));
		}
		Candidate candidate = Candidate.of(this.store, LEASE);
		candidate.isRefused("reports");
		assertThat(this.store.read("reports").orElseThrow().candidates()).containsExactly(candidate.owner().nodeId());
		assertThat(server.<Long>ask((jedis) -> jedis.hlen(KEY))).isEqualTo(6);
	}

	private static long micros(List<String> time) {
		return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
	}

	private static long scriptCalls() {
		return calls("evalsha") + calls("eval");
	}

	private static long calls(String command) {
		String statistics = server.info("commandstats", "cmdstat_" + command);
		return statistics.isEmpty() ? 0 : Long.parseLong(statistics.split("[=,]")[1]);
	}

}
