package io.leaderelection.etcd;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.nodes.SuccessiveLeaders;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fenced writes to etcd.
 */
class EtcdFenceTests {

	private static EtcdServer server;

	private static Client client;

	private final String prefix = "/" + UUID.randomUUID();

	private final ByteSequence key = Keys.bytes(this.prefix + "/result");

	private final EtcdFence fence = new EtcdFence(client, this.prefix);

	@BeforeAll
	static void start() {
		server = EtcdServer.start();
		client = server.connect();
	}

	@AfterAll
	static void stop() {
		if (server != null) {
			client.close();
			server.close();
		}
	}

	@Test
	void aLeaderWritesAndAFormerOneDoesNot() {
		this.fence.commit(token(5), write("former"));
		this.fence.commit(token(5), write("former again"));
		this.fence.commit(token(17), write("leader"));
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.commit(token(5), write("stale")))
			.satisfies((refusal) -> {
				assertThat(refusal.refused()).isEqualTo(token(5));
				assertThat(refusal.newest()).isEqualTo(token(17));
			});
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.fence.check(token(5)));
		assertThat(written()).isEqualTo("leader");
	}

	@Test
	void theGuardOfAFormerLeaderIsNotMet() throws Exception {
		this.fence.check(token(5));
		assertThat(commitByHand(token(5), "former")).isTrue();
		this.fence.check(token(7));
		assertThat(commitByHand(token(5), "stale")).isFalse();
		assertThat(written()).isEqualTo("former");
	}

	private boolean commitByHand(FencingToken token, String value) throws Exception {
		return client.getKVClient()
			.txn()
			.If(this.fence.guard(token))
			.Then(write(value).toArray(Op[]::new))
			.commit()
			.get(10, TimeUnit.SECONDS)
			.isSucceeded();
	}

	@Test
	void aConditionOfTheCallersThatIsNotMetIsToldFromAStaleToken() {
		this.fence.commit(token(5), write("present"));
		assertThat(this.fence.commit(token(6), List.of(KeySnapshot.has(this.key, Keys.bytes("absent"))), write("x")))
			.isFalse();
		assertThat(this.fence.commit(token(6), List.of(KeySnapshot.has(this.key, Keys.bytes("present"))), write("y")))
			.isTrue();
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(
				() -> this.fence.commit(token(5), List.of(KeySnapshot.has(this.key, Keys.bytes("y"))), write("z")));
		assertThat(written()).isEqualTo("y");
	}

	@Test
	void tokensOfLocalElectionsReachNoServer() {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("local").build()) {
			EtcdFence local = new EtcdFence(client, this.prefix, StaleTokens.inProcess(elections));
			local.check(token(1_000));
			local.commit(token(1_000), write("local"));
			assertThat(local.commit(token(1_000), List.of(KeySnapshot.has(this.key, Keys.bytes("absent"))), write("x")))
				.isFalse();
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> local.commit(token(999), write("stale")));
		}
		assertThat(written()).isEqualTo("local");
		this.fence.commit(token(5), write("shared"));
	}

	@Test
	void electionsAreKeptApart() {
		this.fence.check(token(5));
		this.fence.commit(new FencingToken("mails/odd name", 1), write("mails"));
		assertThat(written()).isEqualTo("mails");
	}

	@Test
	void writesOfManyLeadersAtOnceAreOrdered() throws Exception {
		SuccessiveLeaders.write(20, (token) -> this.fence.commit(token, write(String.valueOf(token.value()))));
		assertThat(written()).isEqualTo(String.valueOf(SuccessiveLeaders.LAST.value()));
	}

	/** The steps are a first attempt, and the one that lets the token pass. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void aLeaderThatComesBetweenTheStepsOfAWriteIsNotOverwritten(int steps) {
		Interference interference = new Interference();
		Runnable next = () -> this.fence.commit(token(7), write("leader"));
		for (int i = 0; i < steps; i++) {
			Runnable later = next;
			next = () -> interference.beforeNextWrite(later);
		}
		try (Client slow = interference.connect(server)) {
			EtcdFence former = new EtcdFence(slow, this.prefix);
			interference.beforeNextWrite(next);
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> former.commit(token(5), write("stale")));
		}
		assertThat(written()).isEqualTo("leader");
		this.fence.commit(token(7), write("leader again"));
	}

	@Test
	void aRefusalIsReported() {
		StaleTokens staleTokens = new StaleTokens(
				LeaderElections.on(new InMemoryLeaseStore()).nodeId("node-1").build());
		EtcdFence reporting = new EtcdFence(client, this.prefix, staleTokens);
		reporting.check(token(5));
		assertThat(staleTokens.count()).isZero();
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> reporting.check(token(4)));
		assertThat(staleTokens.count()).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "gibberish", "0", "-5" })
	void whatIsNoTokenLetsNothingPass(String text) {
		client.getKVClient().put(Keys.bytes(this.prefix + "/fences/reports"), Keys.bytes(text)).join();
		assertThatExceptionOfType(EtcdLeaseStoreException.class)
			.isThrownBy(() -> this.fence.commit(token(5), write("x")))
			.withMessageContaining("'%s', which is no token".formatted(text));
		assertThat(client.getKVClient().get(this.key).join().getKvs()).isEmpty();
	}

	private List<Op> write(String value) {
		return List.of(Op.put(this.key, Keys.bytes(value), PutOption.DEFAULT));
	}

	private String written() {
		List<KeyValue> found = client.getKVClient().get(this.key).join().getKvs();
		return found.get(0).getValue().toString(StandardCharsets.UTF_8);
	}

	private static FencingToken token(long value) {
		return new FencingToken("reports", value);
	}

}
