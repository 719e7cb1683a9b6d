package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

import io.leaderelection.fencing.StaleTokens;
import io.leaderelection.FencingToken;
import io.leaderelection.LeaderElections;
import io.leaderelection.nodes.SuccessiveLeaders;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.StaleLeaderException;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fenced writes to ZooKeeper.
 */
class ZooKeeperFenceTests {

	private static TestingServer server;

	private static CuratorFramework client;

	private final String root = "/" + UUID.randomUUID();

	private final String path = this.root + "/result";

	private final ZooKeeperFence fence = new ZooKeeperFence(client, this.root);

	@BeforeAll
	static void start() throws Exception {
		server = ZooKeeperServers.single();
		client = Clients.started(server.getConnectString(), Duration.ofSeconds(10));
	}

	@AfterAll
	static void stop() throws Exception {
		client.close();
		server.close();
	}

	@BeforeEach
	void createResult() throws Exception {
		client.create().creatingParentsIfNeeded().forPath(this.path, bytes("nothing"));
	}

	@Test
	void aLeaderWritesAndAFormerOneDoesNot() throws Exception {
		this.fence.commit(token(5), write("former"));
		this.fence.commit(token(5), write("former again"));
		assertThat(this.fence.commit(token(7), write("leader"))).hasSize(1);
		assertThatExceptionOfType(StaleLeaderException.class)
			.isThrownBy(() -> this.fence.commit(token(5), write("stale")))
			.satisfies((refusal) -> {
				assertThat(refusal.refused()).isEqualTo(token(5));
				assertThat(refusal.newest()).isEqualTo(token(7));
			});
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.fence.check(token(5)));
		assertThat(written()).isEqualTo("leader");
	}

	@Test
	void aFormerLeaderThatHasLookedBeforeItWasReplacedDoesNotWrite() throws Exception {
		this.fence.check(token(5));
		CuratorOp guard = this.fence.guard(token(5));
		this.fence.commit(token(7), write("leader"));
		assertThatExceptionOfType(KeeperException.BadVersionException.class)
			.isThrownBy(() -> client.transaction().forOperations(guard, write("stale")));
		assertThatExceptionOfType(StaleLeaderException.class).isThrownBy(() -> this.fence.guard(token(5)));
		assertThat(written()).isEqualTo("leader");
	}

	@Test
	void whoeverIsTheFirstIsRemembered() throws Exception {
		CuratorOp first = this.fence.guard(token(5));
		this.fence.commit(token(7), write("leader"));
		assertThatExceptionOfType(KeeperException.NodeExistsException.class)
			.isThrownBy(() -> client.transaction().forOperations(first, write("stale")));
		assertThat(written()).isEqualTo("leader");
	}

	@Test
	void aGuardThatRaisesTheFenceIsGoodUntilSomebodyElseDoes() throws Exception {
		this.fence.check(token(5));
		CuratorOp raising = this.fence.guard(token(6));
		this.fence.commit(token(7), write("leader"));
		assertThatExceptionOfType(KeeperException.BadVersionException.class)
			.isThrownBy(() -> client.transaction().forOperations(raising, write("stale")));
	}

	@Test
	void tokensOfLocalElectionsReachNoServer() throws Exception {
		try (LeaderElections elections = LeaderElections.on(new InMemoryLeaseStore()).nodeId("local").build()) {
			ZooKeeperFence local = new ZooKeeperFence(client, this.root, StaleTokens.inProcess(elections));
			local.check(token(1_000));
			local.commit(token(1_000), write("local"));
			assertThatExceptionOfType(StaleLeaderException.class)
				.isThrownBy(() -> local.commit(token(999), write("stale")));
		}
		assertThat(written()).isEqualTo("local");
		this.fence.commit(token(5), write("shared"));
	}

	@Test
	void whatFailsRaisesNothing() throws Exception {
		this.fence.check(token(5));
		CuratorOp impossible = client.transactionOp().setData().withVersion(42).forPath(this.path, bytes("x"));
		assertThatExceptionOfType(KeeperException.BadVersionException.class)
			.isThrownBy(() -> this.fence.commit(token(7), write("leader"), impossible));
		assertThat(written()).isEqualTo("nothing");
		this.fence.commit(token(5), write("still leads"));
	}

	@Test
	void electionsAreKeptApart() throws Exception {
		this.fence.check(token(5));
		this.fence.commit(new FencingToken("mails/odd name", 1), write("mails"));
		assertThat(written()).isEqualTo("mails");
	}

	@Test
	void writesOfOneLeaderAndHandOversAtOnceAreOrdered() throws Exception {
		SuccessiveLeaders.write(20, (token) -> this.fence.commit(token, write(String.valueOf(token.value()))));
		assertThat(written()).isEqualTo(String.valueOf(SuccessiveLeaders.LAST.value()));
	}

	@Test
	void whatIsNoTokenLetsNothingPass() throws Exception {
		client.create().creatingParentsIfNeeded().forPath(this.root + "/fences/reports", bytes("gibberish"));
		assertThatExceptionOfType(ZooKeeperLeaseStoreException.class)
			.isThrownBy(() -> this.fence.commit(token(5), write("x")))
			.withMessageContaining("'gibberish', which is no token");
		assertThat(written()).isEqualTo("nothing");
	}

	private CuratorOp write(String value) throws Exception {
		return client.transactionOp().setData().forPath(this.path, bytes(value));
	}

	private String written() throws Exception {
		return new String(client.getData().forPath(this.path), StandardCharsets.UTF_8);
	}

	private static FencingToken token(long value) {
		return new FencingToken("reports", value);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
