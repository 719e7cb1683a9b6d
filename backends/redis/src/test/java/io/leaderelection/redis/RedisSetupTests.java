package io.leaderelection.redis;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaderelection.docs.Page;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.mock;

/**
 * A Redis that answers but cannot be used as it is set up: the error says what to change.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisSetupTests {

	private static final Duration LEASE = Duration.ofSeconds(10);

	private static RedisServer server;

	private final RedisClients clients = new RedisClients();

	enum Client {

		LETTUCE, JEDIS;

		RedisConnectionFactory connect(RedisClients clients, RedisStandaloneConfiguration where) {
			return (this == LETTUCE) ? clients.lettuce(where) : clients.jedis(where);
		}

	}

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void empty() {
		server.ask(Jedis::flushAll);
	}

	@AfterEach
	void closeClients() {
		this.clients.close();
	}

	@ParameterizedTest
	@EnumSource
	void aUserWithoutScriptsIsToldWhichRightsToGrant(Client client) {
		RedisLeaseStore store = storeOfUser(client, "~*", "&*", "+@all", "-@scripting");
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
			.withMessageContaining("ACL SETUSER")
			.withMessageContaining("~{leader-election}*")
			.withMessageContaining("NOPERM");
	}

	@ParameterizedTest
	@EnumSource
	void aUserWithoutACommandThatTheScriptsUseIsToldToo(Client client) {
		RedisLeaseStore store = storeOfUser(client, "~*", "&*", "+@all", "-hset");
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
			.withMessageContaining("+hset");
	}

	@ParameterizedTest
	@EnumSource
	void theRightsThatTheErrorAndTheDocumentationNameAreEnough(Client client, CapturedOutput output) {
		RedisLeaseStore refused = storeOfUser(client, "~*", "&*", "+@all", "-@scripting");
		RedisLeaseStoreException failure = catchThrowableOfType(RedisLeaseStoreException.class,
				() -> refused.read("reports"));
		Matcher rights = Pattern.compile("ACL SETUSER <user> ([^)]*)\\)").matcher(failure.getMessage());
		assertThat(rights.find()).isTrue();
		assertThat(Page.REPOSITORY.resolve("docs/redis.md")).content().contains(rights.group(1));
		RedisLeaseStore store = storeOfUser(client, rights.group(1).split(" "));
		Candidate first = Candidate.of(store, LEASE);
		Candidate second = Candidate.of(store, LEASE);
		WakeUps wakeUps = mock();
		try (Watch watch = store.watch(wakeUps).orElseThrow()) {
			assertThat(watch).isNotNull();
			Lease lease = first.wins("reports");
			second.isRefused("reports");
			assertThat(first.renews(lease)).isInstanceOf(Renewed.class);
			store.transfer(lease, second.owner().nodeId(), LEASE);
			second.releases(second.wins("reports"));
			first.wins("reports", Long.MAX_VALUE - 10);
			assertThat(store.read("reports")).isPresent();
		}
		assertThat(output).doesNotContain("may not");
	}

	@ParameterizedTest
	@EnumSource
	void aUserWithoutInfoIsToldToGrantItOrToDoWithout(Client client) {
		String[] rights = { "~*", "&*", "+@all", "-info" };
		RedisLeaseStore store = storeOfUser(client, rights);
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
			.withMessageContaining("+info")
			.withMessageContaining("leader-election.redis.detect-failover=false");
		RedisLeaseStore without = new RedisLeaseStore(connectAs(client, rights), RedisLeaseStore.DEFAULT_KEY_PREFIX,
				false);
		Candidate.of(without, LEASE).wins("reports");
	}

	@ParameterizedTest
	@EnumSource
	void aUserWithoutTheChannelReleasesAndIsWarned(Client client, CapturedOutput output) {
		RedisLeaseStore store = storeOfUser(client, "~*", "resetchannels", "+@all");
		assertThat(store.watch(mock())).isEmpty();
		assertThat(output).contains("may not subscribe to '{leader-election}:released'");
		Candidate first = Candidate.of(store, LEASE);
		first.releases(first.wins("reports"));
		Candidate.of(store, LEASE).wins("reports");
	}

	@Test
	void aUserWhoMayNotPublishReleasesAndIsWarned(CapturedOutput output) {
		RedisLeaseStore store = storeOfUser(Client.LETTUCE, "~*", "&*", "+@all", "-publish");
		Candidate first = Candidate.of(store, LEASE);
		first.releases(first.wins("reports"));
		assertThat(output).contains("may not publish to '{leader-election}:released'");
		Candidate.of(store, LEASE).wins("reports");
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatMayEvictRecordsIsReportedOnce(Client client, CapturedOutput output) {
		try (RedisServer cache = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
			RedisLeaseStore store = new RedisLeaseStore(client.connect(this.clients, RedisClients.standalone(cache)));
			for (int i = 0; i < 2; i++) {
				store.watch(mock()).orElseThrow().close();
			}
			assertThat(output.getAll().split("Redis may evict the records of elections", -1)).hasSize(2);
			assertThat(output).contains("maxmemory-policy is allkeys-lru and its maxmemory 104857600",
					"Set maxmemory-policy noeviction");
			assertThat(store.limits()).anyMatch((limit) -> limit.contains("maxmemory-policy is allkeys-lru"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "100mb, noeviction", "0, allkeys-lru" })
	void aServerThatEvictsNothingIsNotReported(String memory, String policy, CapturedOutput output) {
		try (RedisServer other = RedisServer.start("--maxmemory", memory, "--maxmemory-policy", policy)) {
			RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(RedisClients.standalone(other)));
			store.watch(mock()).orElseThrow().close();
			assertThat(output).doesNotContain("evict");
			assertThat(store.limits()).noneMatch((limit) -> limit.contains("maxmemory"));
		}
	}

	@ParameterizedTest
	@EnumSource
	void aUserWhoMayNotAskForTheEvictionPolicyIsNotWarned(Client client, CapturedOutput output) {
		RedisLeaseStore store = storeOfUser(client, "~*", "&*", "+@all", "-info");
		store.watch(mock()).orElseThrow().close();
		assertThat(output).doesNotContain(RedisLeaseStore.class.getPackageName());
	}

	@ParameterizedTest
	@EnumSource
	void aWrongPasswordIsNamed(Client client) {
		RedisStandaloneConfiguration where = RedisClients.standalone(server);
		where.setUsername("default");
		where.setPassword("wrong");
		server.ask((jedis) -> jedis.aclSetUser("default", "resetpass", ">right"));
		try {
			RedisLeaseStore store = new RedisLeaseStore(client.connect(this.clients, where));
			// Lettuce 7 may see the connection closed before it has read why
			Awaitility.await()
				.untilAsserted(() -> assertThatExceptionOfType(RedisLeaseStoreException.class)
					.isThrownBy(() -> store.read("reports"))
					.withMessageContaining("spring.data.redis.password"));
		}
		finally {
			server.ask((jedis) -> {
				jedis.auth("right");
				return jedis.aclSetUser("default", "nopass");
			});
		}
	}

	@ParameterizedTest
	@EnumSource
	void aReplicaIsRefused(Client client) {
		try (RedisServer replica = RedisServer.start("--replicaof", RedisServer.HOST + " " + server.port())) {
			RedisLeaseStore store = new RedisLeaseStore(client.connect(this.clients, RedisClients.standalone(replica)));
			assertThatExceptionOfType(RedisLeaseStoreException.class)
				.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
				.withMessageContaining("The server is a replica")
				.withMessageContaining("spring.data.redis.sentinel");
			RedisLeaseStore without = new RedisLeaseStore(
					client.connect(this.clients, RedisClients.standalone(replica)), "other", false);
			assertThatExceptionOfType(RedisLeaseStoreException.class)
				.isThrownBy(() -> Candidate.of(without, LEASE).wins("reports"))
				.withMessageContaining("READONLY");
		}
	}

	@Test
	void aReplicaThatWouldTakeWritesIsRefusedToo() {
		try (RedisServer replica = RedisServer.start("--replica-read-only", "no", "--replicaof",
				RedisServer.HOST + " " + server.port())) {
			RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(replica));
			assertThatExceptionOfType(RedisLeaseStoreException.class)
				.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
				.withMessageContaining("role of this server is slave");
		}
	}

	@Test
	void aKeyOfAnotherTypeIsNamed() {
		server.ask((jedis) -> jedis.set("{leader-election}:reports", "text"));
		RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(server));
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
			.withMessageContaining("{leader-election}:reports")
			.withMessageContaining("leader-election.redis.key-prefix");
		assertThatExceptionOfType(RedisLeaseStoreException.class).isThrownBy(() -> store.read("reports"))
			.withMessageContaining("{leader-election}:reports");
		assertThat(server.<String>ask((jedis) -> jedis.get("{leader-election}:reports"))).isEqualTo("text");
	}

	@Test
	void aPrefixThatIsAKeyOfAnotherTypeIsNamed() {
		server.ask((jedis) -> jedis.set("{leader-election}", "text"));
		RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(server));
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).wins("reports"))
			.withMessageContaining("leader-election.redis.key-prefix");
	}

	@Test
	void oneUnreadableRecordHarmsNoOtherElection(CapturedOutput output) {
		RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(server));
		Candidate node = Candidate.of(store, LEASE);
		Lease broken = node.wins("broken");
		Lease sound = node.wins("sound");
		server.ask((jedis) -> jedis.del("{leader-election}:broken"));
		server.ask((jedis) -> jedis.lpush("{leader-election}:broken", "text"));
		server.ask((jedis) -> jedis.hset("{leader-election}:garbled", "token", "-1"));
		assertThat(store.renew(List.of(new RenewRequest(broken, false), new RenewRequest(sound, false))))
			.hasExactlyElementsOfTypes(Lost.class, Renewed.class);
		assertThat(store
			.acquire(List.of(node.candidacy("garbled", 0), node.candidacy("broken", 0), node.candidacy("new", 0))))
			.hasExactlyElementsOfTypes(Held.class, Held.class, Granted.class);
		store.release(List.of(broken, sound));
		assertThat(store.read("sound").orElseThrow().holder()).isEmpty();
		assertThat(output).contains("{leader-election}:broken").contains("{leader-election}:garbled");
	}

	@Test
	void aGarbledRecordIsRestoredByItsHolderAlone() {
		RedisLeaseStore store = new RedisLeaseStore(this.clients.lettuce(server));
		Candidate holder = Candidate.of(store, LEASE);
		Lease lease = holder.wins("reports");
		server.ask((jedis) -> jedis.hset("{leader-election}:reports", "until", "soon"));
		assertThatExceptionOfType(LeaseStoreException.class)
			.isThrownBy(() -> Candidate.of(store, LEASE).asksFor("reports"));
		assertThat(holder.restores(lease)).isInstanceOf(Renewed.class);
		assertThat(Candidate.of(store, LEASE).isRefused("reports").token()).isEqualTo(lease.token());
	}

	@Test
	void aServerThatIsGoneIsPlainTrouble() {
		RedisServer gone = RedisServer.start();
		RedisLeaseStore store = new RedisLeaseStore(this.clients.jedis(gone));
		store.read("reports");
		gone.close();
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> store.read("reports"))
			.isNotInstanceOf(RedisLeaseStoreException.class)
			.withMessageContaining("Redis gave no answer");
	}

	private RedisLeaseStore storeOfUser(Client client, String... rights) {
		return new RedisLeaseStore(connectAs(client, rights));
	}

	private RedisConnectionFactory connectAs(Client client, String... rights) {
		server.ask((jedis) -> jedis.aclSetUser("elector", "reset", "on", ">secret"));
		server.ask((jedis) -> jedis.aclSetUser("elector", rights));
		RedisStandaloneConfiguration where = RedisClients.standalone(server);
		where.setUsername("elector");
		where.setPassword("secret");
		return client.connect(this.clients, where);
	}

}
