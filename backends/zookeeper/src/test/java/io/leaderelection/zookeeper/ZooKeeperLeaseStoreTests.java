package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.WakeUps;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What ZooKeeper's store does beyond the contract.
 */
@Timeout(60)
class ZooKeeperLeaseStoreTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final Duration SHORT = Duration.ofMillis(600);

	private static TestingServer server;

	private static TcpProxy proxy;

	private static CuratorFramework admin;

	private final String root = "/store-" + UUID.randomUUID();

	private final Tree tree = new Tree("", this.root);

	private final List<ZooKeeperLeaseStore> stores = new ArrayList<>();

	private final AtomicReference<CuratorFramework> lastClient = new AtomicReference<>();

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		proxy = new TcpProxy(server::getPort);
		admin = Clients.started(server.getConnectString(), LONG);
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		proxy.close();
		server.close();
	}

	@AfterEach
	void closeStores() {
		proxy.forward();
		this.stores.forEach(ZooKeeperLeaseStore::close);
	}

	private ZooKeeperLeaseStore store() {
		this.lastClient.set(Clients.started(proxy.connectString(), LONG));
		ZooKeeperLeaseStore store = Clients.store(this.lastClient.get(), this.root);
		this.stores.add(store);
		return store;
	}

	private static Owner owner(String nodeId) {
		return new Owner(nodeId, UUID.randomUUID().toString());
	}

	private static AcquireResult ask(ZooKeeperLeaseStore store, Owner owner, String election, Duration duration) {
		return store.acquire(List.of(new Candidacy(election, owner, duration, 0, true))).get(0);
	}

	private static Lease win(ZooKeeperLeaseStore store, Owner owner, String election, Duration duration) {
		AcquireResult answer = ask(store, owner, election, duration);
		assertThat(answer).isInstanceOf(Granted.class);
		return new Lease(election, owner, ((Granted) answer).token(), duration);
	}

	private static RenewResult renew(ZooKeeperLeaseStore store, Lease lease) {
		return store.renew(List.of(new Renewal(lease, false))).get(0);
	}

	private LeaseRecord record(String election) throws Exception {
		return LeaseRecord.parse(admin.getData().forPath(this.tree.election(election)));
	}

	private List<String> candidates(String election) throws Exception {
		return admin.getChildren().forPath(this.tree.election(election));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
	}

	@Test
	void theHoldersNodeIsEphemeral() throws Exception {
		ZooKeeperLeaseStore store = store();
		win(store, owner("a"), "reports", LONG);
		String candidate = this.tree.election("reports") + "/" + candidates("reports").get(0);
		assertThat(admin.checkExists().forPath(candidate).getEphemeralOwner()).isNotZero();
	}

	@Test
	void aHolderWhoseNodeWasDeletedKeepsItsLease() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		admin.delete().forPath(this.tree.election("reports") + "/" + candidates("reports").get(0));
		assertThat(ask(store(), owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(candidates("reports")).hasSize(2);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void aHolderWhoseProofOfLifeWasDeletedKeepsItsLease() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		long session = this.lastClient.get().getZookeeperClient().getZooKeeper().getSessionId();
		int version = admin.checkExists().forPath(this.tree.election("reports")).getVersion();
		admin.delete().forPath(this.tree.session(session));
		assertThat(ask(store(), owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(admin.checkExists().forPath(this.tree.session(session))).isNotNull();
		assertThat(admin.checkExists().forPath(this.tree.election("reports")).getVersion())
			.as("since the new proof counts anew, the record has to change")
			.isGreaterThan(version);
	}

	@Test
	void aLeaseOutlivesItsSession() {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		CuratorFramework client = this.lastClient.get();
		ZooKeeperLeaseStore candidate = store();
		Owner other = owner("b");
		assertThat(ask(candidate, other, "reports", LONG)).isInstanceOf(Held.class);
		Clients.endSession(client, server.getConnectString());
		assertThat(ask(candidate, other, "reports", LONG)).isInstanceOf(Held.class);
		assertThat(await().ignoreExceptionsInstanceOf(LeaseStoreException.class)
			.until(() -> renew(holder, lease), (answer) -> true)).isInstanceOf(Renewed.class);
		assertThat(ask(candidate, other, "reports", LONG)).isInstanceOf(Held.class);
	}

	@Test
	void aTakeoverFailsIfTheHolderHasProvenItsLifeSinceTheLook() {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		Sightings sightings = new Sightings();
		Session session = session(sightings);
		Look look = new Looks(this.tree, sightings).at(session, List.of("reports")).get(0);
		long holdersSession = ((LeaseRecord.Held) look.record()).session();
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(session.await(session.commit(session.unproven(holdersSession, look.proof())))).isFalse();
		Look next = new Looks(this.tree, sightings).at(session, List.of("reports")).get(0);
		assertThat(session.await(session.commit(session.unproven(holdersSession, next.proof())))).isTrue();
	}

	@Test
	void aTakeoverFailsIfAMissingProofHasComeSinceTheLook() throws Exception {
		Session session = session(new Sightings());
		admin.create().creatingParentsIfNeeded().forPath(this.tree.session(7));
		assertThat(session.await(session.commit(session.unproven(7, Optional.empty())))).isFalse();
		admin.delete().forPath(this.tree.session(7));
		assertThat(session.await(session.commit(session.unproven(7, Optional.empty())))).isTrue();
		assertThat(admin.checkExists().forPath(this.tree.session(7))).isNull();
	}

	private Session session(Sightings sightings) {
		CuratorFramework client = Clients.started(server.getConnectString(), LONG);
		this.stores.add(Clients.store(client, this.root));
		return new Connection(() -> client, this.tree, new DefaultACLProvider(), new Hints(), sightings).session();
	}

	@Test
	void anElectionThatWasDeletedAndCreatedAgainIsNotMistaken() throws Exception {
		ZooKeeperLeaseStore former = store();
		Lease before = win(former, owner("a"), "reports", LONG);
		int version = admin.checkExists().forPath(this.tree.election("reports")).getVersion();
		Clients.deleteAll(admin, this.tree.election("reports"));
		Lease now = win(store(), owner("b"), "reports", LONG);
		assertThat(admin.checkExists().forPath(this.tree.election("reports")).getVersion()).isEqualTo(version);
		assertThat(renew(former, before)).isInstanceOf(Lost.class);
		former.release(List.of(before));
		assertThat(record("reports").token()).isEqualTo(now.token());
	}

	@Test
	void aReleaseThatFailedIsMadeUpForWithTheNextCall() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		Lease released = win(store, owner, "reports", LONG);
		Lease kept = win(store, owner, "invoices", LONG);
		proxy.swallow();
		CompletableFuture<Void> release = new CompletableFuture<>();
		Thread releasing = new Thread(() -> {
			try {
				store.release(List.of(released));
				release.complete(null);
			}
			catch (RuntimeException ex) {
				release.completeExceptionally(ex);
			}
		});
		releasing.start();
		await().until(() -> releasing.getState() == Thread.State.TIMED_WAITING);
		releasing.interrupt();
		await().until(release::isCompletedExceptionally);
		proxy.cut();
		proxy.forward();
		await().ignoreExceptionsInstanceOf(LeaseStoreException.class)
			.until(() -> renew(store, kept), Renewed.class::isInstance);
		await().until(() -> record("reports") instanceof LeaseRecord.Free);
	}

	@Test
	void aLeaseThatIsNotRenewedEndsThoughItsSessionGoesOn() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		win(store, owner, "reports", SHORT);
		Lease kept = win(store, owner, "invoices", LONG);
		await().until(() -> {
			renew(store, kept);
			return record("reports") instanceof LeaseRecord.Free;
		});
	}

	@Test
	void aLeaseThatIsNotRenewedEndsThoughItsNodeWasDeletedToo() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		win(store, owner, "reports", SHORT);
		Lease kept = win(store, owner, "invoices", LONG);
		admin.delete().forPath(this.tree.election("reports") + "/" + candidates("reports").get(0));
		await().until(() -> {
			renew(store, kept);
			return record("reports") instanceof LeaseRecord.Free;
		});
		assertThat(candidates("reports")).isEmpty();
	}

	@Test
	void aCandidateThatAsksNoMoreStandsNoMore() throws Exception {
		Lease held = win(store(), owner("a"), "reports", LONG);
		ZooKeeperLeaseStore store = store();
		Owner candidate = owner("b");
		assertThat(ask(store, candidate, "reports", SHORT)).isInstanceOf(Held.class);
		Lease kept = win(store, candidate, "invoices", LONG);
		assertThat(candidates("reports")).hasSize(2);
		await().until(() -> {
			renew(store, kept);
			return candidates("reports").size() == 1;
		});
		assertThat(record("reports").token()).isEqualTo(held.token());
	}

	@Test
	void aClosedWatchLeavesNobodyInLine() throws Exception {
		win(store(), owner("a"), "reports", LONG);
		ZooKeeperLeaseStore store = store();
		try (var watch = store.watch(new RecordedHints()).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(ask(store, owner("b"), "reports", LONG)).isInstanceOf(Held.class);
			assertThat(candidates("reports")).hasSize(2);
		}
		await().until(() -> candidates("reports").size() == 1);
	}

	@Test
	void onlyTheNextInLineIsWokenUpAtOnceAndTheOthersIfItDoesNotTakeTheLease() {
		ZooKeeperLeaseStore holder = store();
		Lease held = win(holder, owner("a"), "reports", LONG);
		List<RecordedHints> inLine = new ArrayList<>();
		for (String nodeId : List.of("b", "c", "d")) {
			ZooKeeperLeaseStore store = store();
			RecordedHints hints = new RecordedHints();
			inLine.add(hints);
			store.watch(hints);
			assertThat(ask(store, owner(nodeId), "reports", LONG)).isInstanceOf(Held.class);
		}
		holder.release(List.of(held));
		await().until(() -> inLine.stream().noneMatch((hints) -> hints.heard.isEmpty()));
		assertThat(inLine).extracting((hints) -> hints.heard.get(0))
			.containsExactly("reports now", "reports later", "reports later");
	}

	@Test
	void aNodeTooManyIsTakenOutOfTheLine() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		win(store, owner, "reports", LONG);
		long session = this.lastClient.get().getZookeeperClient().getZooKeeper().getSessionId();
		String prefix = this.tree.election("reports") + "/" + Candidate.prefix(owner, session);
		admin.create().withMode(CreateMode.PERSISTENT_SEQUENTIAL).forPath(prefix);
		assertThat(candidates("reports")).hasSize(2);
		win(store, owner, "reports", LONG);
		await().until(() -> candidates("reports").size() == 1);
	}

	@Test
	void aRecordThatCannotBeReadIsRestoredByItsHolder() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		admin.setData().forPath(this.tree.election("reports"), "nonsense".getBytes());
		ZooKeeperLeaseStore candidate = store();
		assertThat(ask(candidate, owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThatExceptionOfType(ZooKeeperLeaseStoreException.class).isThrownBy(() -> candidate.read("reports"))
			.withMessageContaining(this.tree.election("reports"));
		assertThat(renew(holder, lease)).isInstanceOf(RenewResult.Absent.class);
		assertThat(holder.renew(List.of(new Renewal(lease, true)))).hasOnlyElementsOfType(Renewed.class);
		assertThat(candidate.read("reports").map(LeaseView::token)).contains(lease.token());
	}

	@Test
	void aClientThatRepeatsForEverDoesNotHoldACallUp() {
		CuratorFramework stubborn = CuratorFrameworkFactory.builder()
			.connectString("127.0.0.1:1")
			.connectionTimeoutMs(300)
			.retryPolicy(new RetryForever(100))
			.build();
		stubborn.start();
		ZooKeeperLeaseStore store = Clients.store(stubborn, this.root);
		this.stores.add(store);
		assertThatExceptionOfType(ZooKeeperLeaseStoreException.class)
			.isThrownBy(() -> ask(store, owner("a"), "reports", LONG))
			.withMessageContaining("127.0.0.1:1")
			.withMessageContaining("leader-election.zookeeper.connect-string");
	}

	@Test
	void aNamespaceOfTheClientIsKept() throws Exception {
		CuratorFramework client = CuratorFrameworkFactory.builder()
			.connectString(server.getConnectString())
			.namespace("shop")
			.retryPolicy(new RetryForever(100))
			.build();
		client.start();
		ZooKeeperLeaseStore store = Clients.store(client, this.root);
		this.stores.add(store);
		win(store, owner("a"), "reports", LONG);
		assertThat(admin.checkExists().forPath("/shop" + this.tree.election("reports"))).isNotNull();
	}

	@Test
	void thousandsOfLongNamesAreRenewedTogether() {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		List<Candidacy> candidacies = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			candidacies.add(new Candidacy("漢".repeat(195) + i, owner, LONG, 0, true));
		}
		List<AcquireResult> granted = store.acquire(candidacies);
		List<Renewal> renewals = new ArrayList<>();
		for (int i = 0; i < candidacies.size(); i++) {
			renewals.add(new Renewal(
					new Lease(candidacies.get(i).election(), owner, ((Granted) granted.get(i)).token(), LONG), false));
		}
		assertThat(store.renew(renewals)).hasSize(1_000).hasOnlyElementsOfType(Renewed.class);
	}

	@Test
	void aBatchThatIsRenewedIsOneWrite() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		List<Renewal> renewals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			renewals.add(new Renewal(win(store, owner, "election-" + i, LONG), false));
		}
		long before = zxid();
		assertThat(store.renew(renewals)).hasOnlyElementsOfType(Renewed.class);
		assertThat(zxid() - before).isEqualTo(2);
	}

	/** The number of a write of its own. */
	private long zxid() throws Exception {
		return admin.setData().forPath(this.root, new byte[0]).getMzxid();
	}

	/**
	 * The hints that came, in order.
	 */
	private static final class RecordedHints implements WakeUps {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@Override
		public void wakeUp(String election) {
			this.heard.add(election + " now");
		}

		@Override
		public void wakeUp(String election, Duration turn) {
			this.heard.add(election + " later");
		}

		@Override
		public void wakeUpAll() {
		}

		@Override
		public void leasesLost() {
		}

	}

}
