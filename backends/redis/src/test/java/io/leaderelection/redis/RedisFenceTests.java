package io.leaderelection.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.function.Function;
import java.util.List;
import java.util.UUID;

import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.servers.RedisClusterNodes;
import io.leaderelection.servers.RedisServer;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;

/**
 * Fenced writes to Redis, through each client and on a Cluster.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisFenceTests {

	private static final RedisClients clients = new RedisClients();

	private static RedisServer server;

	private static RedisClusterNodes cluster;

	private final List<RedisConnectionFactory> connections = new ArrayList<>();

	private String tag;

	@BeforeAll
	void startServers() {
		server = RedisServer.start();
		cluster = RedisClusterNodes.start();
		for (Client client : Client.values()) {
			this.connections.add(client.connect.apply(clients));
		}
	}

	@AfterAll
	static void stopServers() {
		clients.close();
		server.close();
		cluster.close();
	}

	@BeforeEach
	void nameTag() {
		this.tag = UUID.randomUUID().toString();
	}

	@ParameterizedTest
	@EnumSource
	void aLeaderWritesAndAFormerOneDoesNot(Client client) {
		RedisFence fence = fence(client);
		StringRedisTemplate redis = redis(client);
		FencingToken former = token(999);
		FencingToken leader = token(1000);
		fence.set(former, key("a"), "former");
		fence.put(former, key("h"), "field", "former");
		assertThat(fence.increment(former, key("n"), 40)).isEqualTo(40);

		fence.check(leader, key("a"));
		assertRefused(former, leader, () -> fence.set(former, key("a"), "stale"));
		assertRefused(former, leader, () -> fence.set(former, key("a"), "stale", Duration.ofMinutes(1)));
		assertRefused(former, leader, () -> fence.put(former, key("h"), "field", "stale"));
		assertRefused(former, leader, () -> fence.increment(former, key("n"), 1));
		assertRefused(former, leader, () -> fence.delete(former, key("a")));
		assertRefused(former, leader,
				() -> fence.execute(former, "return redis.call('DEL', KEYS[1])", List.of(key("a"))));
		assertThat(redis.opsForValue().get(key("a"))).isEqualTo("former");
		assertThat(redis.opsForHash().get(key("h"), "field")).isEqualTo("former");
		assertThat(redis.opsForValue().get(key("n"))).isEqualTo("40");

		fence.set(leader, key("a"), "leader", Duration.ofMinutes(1));
		fence.put(leader, key("h"), "field", "leader");
		assertThat(fence.increment(leader, key("n"), 2)).isEqualTo(42);
		assertThat(redis.opsForValue().get(key("a"))).isEqualTo("leader");
		assertThat(redis.getExpire(key("a"))).isBetween(1L, 60L);
		assertThat(redis.opsForHash().get(key("h"), "field")).isEqualTo("leader");
		assertThat(fence.delete(leader, key("a"))).isTrue();
		assertThat(fence.delete(leader, key("a"))).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	void aScriptOfTheCallerRunsBehindTheCheck(Client client) {
		RedisFence fence = fence(client);
		Object answer = fence.execute(token(1), """
				for i, key in ipairs(KEYS) do
					redis.call('SET', key, ARGV[i])
				end
				return {#KEYS, #ARGV, ARGV[3]} -- the last line may be a comment""", List.of(key("a"), key("b")), "one",
				"two".getBytes(StandardCharsets.UTF_8), 3);
		assertThat(answer).asInstanceOf(InstanceOfAssertFactories.LIST)
			.satisfiesExactly((keys) -> assertThat(keys).isEqualTo(2L),
					(arguments) -> assertThat(arguments).isEqualTo(3L),
					(last) -> assertThat(last).isEqualTo("3".getBytes(StandardCharsets.UTF_8)));
		assertThat(redis(client).opsForValue().get(key("a"))).isEqualTo("one");
		assertThat(redis(client).opsForValue().get(key("b"))).isEqualTo("two");
		assertThat(fence.execute(token(1), "return nil", List.of(key("a")))).isNull();
		assertThat(fence.execute(token(1), "local nothing", List.of(key("a")))).isNull();
		assertThatRuntimeException()
			.isThrownBy(() -> fence.execute(token(2), "return redis.call('INCR', KEYS[1])", List.of(key("a"))))
			.havingRootCause()
			.withMessageContaining("not an integer");
	}

	@ParameterizedTest
	@CsvSource({ "9, 10", "9007199254740992, 9007199254740993", "9223372036854775806, 9223372036854775807",
			"1794809618048689, 1794809618048690", "99999999999999999, 100000000000000000" })
	void tokensOfAnySizeAreComparedExactly(long lower, long higher) {
		RedisFence fence = fence(Client.LETTUCE);
		fence.set(token(lower), key("a"), "lower");
		fence.set(token(higher), key("a"), "higher");
		assertRefused(token(lower), token(higher), () -> fence.set(token(lower), key("a"), "lower"));
		fence.set(token(higher), key("a"), "again");
		assertThat(redis(Client.LETTUCE).opsForValue().get(key("a"))).isEqualTo("again");
	}

	@Test
	void tokensOfLocalElectionsReachNoServer() {
		RedisConnectionFactory connection = this.connections.get(Client.LETTUCE.ordinal());
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("local").build()) {
			RedisFence local = new RedisFence(connection, "leader-election", StaleTokens.inProcess(elections));
			local.set(token(1_000), key("a"), "local");
			local.check(token(1_000));
			assertThat(local.increment(token(1_000), key("n"), 40)).isEqualTo(40);
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> local.set(token(999), key("a"), "stale"));
		}
		assertThat(redis(Client.LETTUCE).opsForValue().get(key("a"))).isEqualTo("local");
		fence(Client.LETTUCE).set(token(5), key("a"), "shared");
	}

	@Test
	void aCheckAloneIsAFenceOfItsOwn() {
		RedisFence fence = fence(Client.CLUSTER);
		String election = "alone-" + this.tag;
		fence.check(new FencingToken(election, 5));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> fence.check(new FencingToken(election, 4)));
		fence.set(new FencingToken(election, 4), key("a"), "not seen here");
	}

	@Test
	void keysOfOneTagShareAFenceThatStays() {
		RedisFence fence = fence(Client.LETTUCE);
		fence.set(token(2), key("a"), "leader");
		assertRefused(token(1), token(2), () -> fence.set(token(1), key("b"), "former"));
		StringRedisTemplate redis = redis(Client.LETTUCE);
		String kept = "leader-election-fence:{%s}:reports".formatted(this.tag);
		assertThat(redis.keys("*" + this.tag + "*")).containsExactlyInAnyOrder(key("a"), kept);
		assertThat(redis.getExpire(kept)).isEqualTo(-1);
		fence.set(token(1), "{other-%s}:a".formatted(this.tag), "another tag");
	}

	@Test
	void keysWithoutATagInCommonAreRefused() {
		RedisFence fence = fence(Client.LETTUCE);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> fence.execute(token(1), "return 1", List.of("{a}:1", "{b}:1")))
			.withMessageContaining("the same hash tag");
		assertThatIllegalArgumentException().isThrownBy(() -> fence.execute(token(1), "return 1", List.of()))
			.withMessageContaining("needs a key");
		assertThatIllegalArgumentException().isThrownBy(() -> fence.set(token(1), "odd}key", "x"))
			.withMessageContaining("give it a hash tag");
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "{tag}:a", "a{tag}b{other}", "{}{tag}", "{unclosed", "a{{b}c", "x:{ü}" })
	void aFenceIsInTheSlotOfItsKey(String key) {
		String tag = FenceKeys.tag(key);
		if (tag.indexOf('}') < 0) {
			String fence = new FenceKeys("leader-election").of("reports", List.of(key));
			assertThat(JedisClusterCRC16.getSlot(fence)).isEqualTo(JedisClusterCRC16.getSlot(key));
		}
		else {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> new FenceKeys("leader-election").of("reports", List.of(key)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "-5", "0", "1.5", "1e9", "05", "99999999999999999999" })
	void whatNoFenceHasWrittenLetsNothingPass(String garbage) {
		redis(Client.LETTUCE).opsForValue().set("leader-election-fence:{%s}:reports".formatted(this.tag), garbage);
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> fence(Client.LETTUCE).set(token(7), key("a"), "x"))
			.withMessageContaining("holds something that no fence has written");
		assertThat(redis(Client.LETTUCE).hasKey(key("a"))).isFalse();
	}

	@Test
	void aForeignKeyLetsNothingPass() {
		redis(Client.JEDIS).opsForList().leftPush("leader-election-fence:{%s}:reports".formatted(this.tag), "x");
		assertThatExceptionOfType(RedisLeaseStoreException.class)
			.isThrownBy(() -> fence(Client.JEDIS).set(token(7), key("a"), "x"));
		assertThat(redis(Client.JEDIS).hasKey(key("a"))).isFalse();
	}

	/** What docs/fencing.md says. */
	@Test
	void fewRightsAreEnough() {
		server.ask((jedis) -> jedis.aclSetUser("fenced", "on", ">secret", "~leader-election-fence:*",
				"~{%s}:*".formatted(this.tag), "+eval", "+evalsha", "+get", "+set"));
		RedisStandaloneConfiguration user = RedisClients.standalone(server);
		user.setUsername("fenced");
		user.setPassword("secret");
		RedisFence fence = new RedisFence(clients.jedis(user));
		fence.set(token(1), key("a"), "x");
		fence.check(token(1));
		assertThatRuntimeException().isThrownBy(() -> fence.delete(token(1), key("a")))
			.havingRootCause()
			.withMessageContaining("can't run this command");
	}

	private static void assertRefused(FencingToken refused, FencingToken newest, Runnable write) {
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(write::run).satisfies((refusal) -> {
			assertThat(refusal.refused()).isEqualTo(refused);
			assertThat(refusal.newest()).isEqualTo(newest);
		});
	}

	private String key(String name) {
		return "{%s}:%s".formatted(this.tag, name);
	}

	private static FencingToken token(long value) {
		return new FencingToken("reports", value);
	}

	private RedisFence fence(Client client) {
		return new RedisFence(this.connections.get(client.ordinal()));
	}

	private StringRedisTemplate redis(Client client) {
		return new StringRedisTemplate(this.connections.get(client.ordinal()));
	}

	/** Ways to Redis. */
	enum Client {

		LETTUCE((clients) -> clients.lettuce(server)),

		JEDIS((clients) -> clients.jedis(server)),

		CLUSTER((clients) -> clients.lettuce(cluster.configuration())),

		JEDIS_CLUSTER((clients) -> clients.jedis(cluster.configuration()));

		private final Function<RedisClients, RedisConnectionFactory> connect;

		Client(Function<RedisClients, RedisConnectionFactory> connect) {
			this.connect = connect;
		}

	}

}
