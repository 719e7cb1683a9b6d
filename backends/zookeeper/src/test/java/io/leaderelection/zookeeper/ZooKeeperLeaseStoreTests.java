package io.leaderelection.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.leaderelection.servers.TcpProxy;
import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.HeartbeatRecords.Snapshots;
import io.leaderelection.store.observed.HeartbeatSnapshot;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Written;
import io.leaderelection.zookeeper.Paths.Candidate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
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

	private final Paths paths = new Paths("", this.root);

	private final List<ZooKeeperLeaseStore> stores = new ArrayList<>();

	private final List<ZooKeeperLeaseRecords> closing = new ArrayList<>();

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
		this.closing.forEach(ZooKeeperLeaseRecords::close);
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
		return store.acquire(List.of(new AcquireRequest(election, owner, duration, 0, true))).get(0);
	}

	private static Lease win(ZooKeeperLeaseStore store, Owner owner, String election, Duration duration) {
		AcquireResult answer = ask(store, owner, election, duration);
		assertThat(answer).isInstanceOf(Granted.class);
		return new Lease(election, owner, ((Granted) answer).token(), duration);
	}

	private static RenewResult renew(ZooKeeperLeaseStore store, Lease lease) {
		return store.renew(List.of(new RenewRequest(lease, false))).get(0);
	}

	private LeaseRecord record(String election) throws Exception {
		return ZooKeeperLeaseRecords.FORMAT.read(admin.getData().forPath(this.paths.record(election)));
	}

	private boolean isFree(String election) throws Exception {
		return record(election).holder() == null;
	}

	private String heartbeat(String election) throws Exception {
		return this.paths.heartbeat(record(election).heartbeat());
	}

	private List<String> candidates(String election) throws Exception {
		return admin.getChildren()
			.forPath(this.paths.record(election))
			.stream()
			.map(Candidate::parse)
			.flatMap(Optional::stream)
			.map((candidate) -> candidate.owner().nodeId())
			.toList();
	}

	private void deleteIdentity(String election) throws Exception {
		String identity = Paths.identity(admin.getChildren().forPath(this.paths.record(election))).orElseThrow();
		admin.delete().forPath(this.paths.identity(election, identity));
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(Duration.ofSeconds(20));
	}

	@Test
	void theHeartbeatOfANodeIsEphemeralAndTheSameForAllItsLeases() throws Exception {
		ZooKeeperLeaseStore store = store();
		win(store, owner("a"), "reports", LONG);
		win(store, owner("a"), "invoices", LONG);
		assertThat(heartbeat("reports")).isEqualTo(heartbeat("invoices"));
		assertThat(admin.checkExists().forPath(heartbeat("reports")).getEphemeralOwner()).isNotZero();
		store.close();
		await().until(() -> admin.checkExists().forPath(heartbeat("reports")) == null);
	}

	@Test
	void aHolderWhoseRecordLosesItsIdentityKeepsItsLease() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		deleteIdentity("reports");
		assertThat(ask(store(), owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(record("reports").isHeldWith(lease)).isTrue();
		holder.release(List.of(lease));
		assertThat(isFree("reports")).isTrue();
		deleteIdentity("reports");
	}

	@Test
	void aHolderWhoseHeartbeatWasDeletedKeepsItsLease() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		String heartbeat = heartbeat("reports");
		int version = admin.checkExists().forPath(this.paths.record("reports")).getVersion();
		admin.delete().forPath(heartbeat);
		assertThat(ask(store(), owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(admin.checkExists().forPath(heartbeat)).as("never created again").isNull();
		assertThat(admin.checkExists().forPath(heartbeat("reports"))).isNotNull();
		assertThat(admin.checkExists().forPath(this.paths.record("reports")).getVersion())
			.as("the record names the new heartbeat")
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
	void aTakeoverFailsIfThereWasAHeartbeatSinceTheRead() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		ZooKeeperLeaseRecords records = records();
		String id = record("reports").heartbeat();
		Snapshots first = records.read(List.of("reports"), List.of(id), LONG);
		assertThat(renew(holder, lease)).isInstanceOf(Renewed.class);
		assertThat(takeOver(records, first)).isInstanceOf(Conflict.class);
		Snapshots second = records.read(List.of("reports"), List.of(id), LONG);
		assertThat(second.records()).as("the record has not changed").isEqualTo(first.records());
		assertThat(second.heartbeats()).isNotEqualTo(first.heartbeats());
		assertThat(takeOver(records, second)).isInstanceOf(Written.class);
		assertThat(renew(holder, lease)).isInstanceOf(Lost.class);
	}

	@Test
	void aTakeoverFailsIfAMissingHeartbeatWasCreatedSinceTheRead() throws Exception {
		win(store(), owner("a"), "reports", LONG);
		ZooKeeperLeaseRecords records = records();
		String heartbeat = heartbeat("reports");
		admin.delete().forPath(heartbeat);
		Snapshots missing = records.read(List.of("reports"), List.of(record("reports").heartbeat()), LONG);
		admin.create().forPath(heartbeat);
		assertThat(takeOver(records, missing)).isInstanceOf(Conflict.class);
		admin.delete().forPath(heartbeat);
		assertThat(takeOver(records, missing)).isInstanceOf(Written.class);
		assertThat(admin.checkExists().forPath(heartbeat)).isNull();
	}

	private ZooKeeperLeaseRecords records() {
		CuratorFramework client = Clients.started(server.getConnectString(), LONG);
		ZooKeeperLeaseRecords records = new ZooKeeperLeaseRecords(() -> client, this.paths, new DefaultACLProvider(),
				() -> CompletableFuture.runAsync(client::close));
		this.closing.add(records);
		return records;
	}

	private static WriteResult takeOver(ZooKeeperLeaseRecords records, Snapshots seen) {
		Lease next = new Lease("reports", owner("rival"), Long.MAX_VALUE / 2, LONG);
		ConditionalWrite write = new ConditionalWrite("reports", seen.records().get(0),
				Optional.of(seen.heartbeats().get(0)), LeaseRecord.held(next, records.heartbeat(LONG, LONG)));
		return records.write(List.of(write), LONG).get(0);
	}

	@Test
	void aNodeWithoutDataIsAnElectionThatNobodyHasWon() throws Exception {
		admin.create().creatingParentsIfNeeded().forPath(this.paths.record("reports"), new byte[0]);
		ZooKeeperLeaseStore store = store();
		assertThat(store.read("reports").flatMap(LeaseView::holder)).isEmpty();
		Lease lease = win(store, owner("a"), "reports", LONG);
		assertThat(record("reports").isHeldWith(lease)).isTrue();
		assertThat(renew(store, lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void aHeartbeatWithANameThatNoStoreChoosesConcernsOneElectionOnly() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		Lease kept = win(store, owner, "invoices", LONG);
		for (String name : List.of("a/b", "..", "", "\u0001", "g123456789abcdef")) {
			byte[] record = "leader-election 1\ntoken 5\nduration PT20S\nholder x\nincarnation y\nsession %s\n"
				.formatted(name)
				.getBytes(StandardCharsets.UTF_8);
			admin.create().orSetData().forPath(this.paths.record("reports"), record);
			List<AcquireResult> answers = store.acquire(List.of(new AcquireRequest("reports", owner, LONG, 0, true),
					new AcquireRequest("invoices", owner, LONG, 0, true)));
			assertThat(answers.get(0)).as(name).isInstanceOf(Held.class);
			assertThat(answers.get(1)).as(name).isEqualTo(new Granted(kept.token(), LONG));
		}
	}

	@Test
	void anElectionThatWasDeletedAndCreatedAgainIsNotMistaken() throws Exception {
		ZooKeeperLeaseStore former = store();
		Lease before = win(former, owner("a"), "reports", LONG);
		int version = admin.checkExists().forPath(this.paths.record("reports")).getVersion();
		Clients.deleteAll(admin, this.paths.record("reports"));
		Lease now = win(store(), owner("b"), "reports", LONG);
		assertThat(admin.checkExists().forPath(this.paths.record("reports")).getVersion()).isEqualTo(version);
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
		await().until(() -> isFree("reports"));
	}

	@Test
	void aLeaseThatIsNotRenewedEndsThoughItsSessionGoesOn() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		win(store, owner, "reports", SHORT);
		Lease kept = win(store, owner, "invoices", LONG);
		await().until(() -> {
			renew(store, kept);
			return isFree("reports");
		});
	}

	@Test
	void aLeaseThatIsNotRenewedEndsThoughItsRecordLosesItsIdentityToo() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		win(store, owner, "reports", SHORT);
		Lease kept = win(store, owner, "invoices", LONG);
		deleteIdentity("reports");
		await().until(() -> {
			renew(store, kept);
			return isFree("reports");
		});
	}

	@Test
	void aCandidateThatAsksNoMoreStandsNoMore() throws Exception {
		Lease held = win(store(), owner("a"), "reports", LONG);
		ZooKeeperLeaseStore store = store();
		Owner candidate = owner("b");
		assertThat(ask(store, candidate, "reports", SHORT)).isInstanceOf(Held.class);
		Lease kept = win(store, candidate, "invoices", LONG);
		assertThat(candidates("reports")).containsExactly("b");
		await().until(() -> {
			renew(store, kept);
			return candidates("reports").isEmpty();
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
			assertThat(candidates("reports")).containsExactly("b");
		}
		await().until(() -> candidates("reports").isEmpty());
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
	void theSecondInLineIsTheNextWhenTheFirstWithdraws() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease held = win(holder, owner("a"), "reports", LONG);
		ZooKeeperLeaseStore first = store();
		Watch watchOfFirst = first.watch(new RecordedHints()).orElseThrow();
		assertThat(ask(first, owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		ZooKeeperLeaseStore second = store();
		RecordedHints hints = new RecordedHints();
		second.watch(hints);
		assertThat(ask(second, owner("c"), "reports", LONG)).isInstanceOf(Held.class);
		watchOfFirst.close();
		await().until(() -> candidates("reports"), List.of("c")::equals);
		holder.release(List.of(held));
		await().until(() -> !hints.heard.isEmpty());
		assertThat(hints.heard).containsExactly("reports now");
	}

	@Test
	void theNextInLineSeesEachHeartbeatAndTheOthersSeeNone() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease held = win(holder, owner("a"), "reports", LONG);
		List<List<HeartbeatSnapshot>> seen = new ArrayList<>();
		for (String nodeId : List.of("b", "c")) {
			ZooKeeperLeaseRecords records = records();
			List<HeartbeatSnapshot> heartbeats = new CopyOnWriteArrayList<>();
			seen.add(heartbeats);
			records.watch(new HeartbeatsOnly(heartbeats));
			records.read(List.of("reports"), List.of(), LONG);
			records.registerCandidate(owner(nodeId), Set.of("reports"), LONG, LONG);
			await().until(() -> seen.get(0).size() == 1);
		}
		for (int i = 2; i <= 4; i++) {
			int expected = i;
			assertThat(renew(holder, held)).isInstanceOf(Renewed.class);
			await().until(() -> seen.get(0).size() == expected);
		}
		assertThat(seen.get(0)).doesNotHaveDuplicates();
		assertThat(seen.get(1)).isEmpty();
	}

	@Test
	void aForeignNodeAmongTheElectionsKeepsNobodyFromBeingWokenUp() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease held = win(holder, owner("a"), "reports", LONG);
		ZooKeeperLeaseStore candidate = store();
		RecordedHints hints = new RecordedHints();
		candidate.watch(hints);
		assertThat(ask(candidate, owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		admin.create().forPath(this.paths.elections() + "/%zz");
		admin.create().forPath(this.paths.elections() + "/%zz/below");
		admin.create().forPath(this.paths.record("reports") + "/foreign");
		holder.release(List.of(held));
		await().until(() -> hints.heard.contains("reports now"));
		assertThat(ask(candidate, owner("b"), "reports", LONG)).isInstanceOf(Granted.class);
	}

	@Test
	void aCandidateWhoseNodeIsThereAlreadyIsNotRegisteredTwice() throws Exception {
		win(store(), owner("a"), "reports", LONG);
		ZooKeeperLeaseRecords records = records();
		Owner candidate = owner("b");
		records.registerCandidate(candidate, Set.of("invoices"), LONG, LONG);
		for (int i = 0; i < 2; i++) {
			records.registerCandidate(candidate, Set.of("reports"), LONG, LONG);
			assertThat(candidates("reports")).containsExactly("b");
		}
		records.registerCandidate(candidate, Set.of(), LONG, LONG);
		assertThat(candidates("reports")).isEmpty();
		assertThat(admin.checkExists().forPath(this.paths.record("invoices"))).as("there is no record").isNull();
	}

	@Test
	void aRecordThatCannotBeReadIsRestoredByItsHolder() throws Exception {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, owner("a"), "reports", LONG);
		admin.setData().forPath(this.paths.record("reports"), "nonsense".getBytes());
		ZooKeeperLeaseStore candidate = store();
		assertThat(ask(candidate, owner("b"), "reports", LONG)).isInstanceOf(Held.class);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> candidate.read("reports"))
			.withMessageContaining(this.paths.record("reports"));
		assertThat(renew(holder, lease)).isInstanceOf(RenewResult.Absent.class);
		assertThat(holder.renew(List.of(new RenewRequest(lease, true)))).hasOnlyElementsOfType(Renewed.class);
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
		assertThat(admin.checkExists().forPath("/shop" + this.paths.record("reports"))).isNotNull();
	}

	@Test
	void thousandsOfLongNamesAreRenewedTogether() {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		List<AcquireRequest> candidacies = new ArrayList<>();
		for (int i = 0; i < 1_000; i++) {
			candidacies.add(new AcquireRequest("漢".repeat(195) + i, owner, LONG, 0, true));
		}
		List<AcquireResult> granted = store.acquire(candidacies);
		List<RenewRequest> renewals = new ArrayList<>();
		for (int i = 0; i < candidacies.size(); i++) {
			renewals.add(new RenewRequest(
					new Lease(candidacies.get(i).election(), owner, ((Granted) granted.get(i)).token(), LONG), false));
		}
		assertThat(store.renew(renewals)).hasSize(1_000).hasOnlyElementsOfType(Renewed.class);
	}

	@Test
	void aBatchThatIsRenewedIsOneWrite() throws Exception {
		ZooKeeperLeaseStore store = store();
		Owner owner = owner("a");
		List<RenewRequest> renewals = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			renewals.add(new RenewRequest(win(store, owner, "election-" + i, LONG), false));
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
	 * Collects heartbeats.
	 */
	private record HeartbeatsOnly(List<HeartbeatSnapshot> heartbeats) implements LeaseRecords.Watcher {

		@Override
		public void saw(String election, RecordSnapshot snapshot) {
		}

		@Override
		public void sawHeartbeat(HeartbeatSnapshot heartbeat) {
			this.heartbeats.add(heartbeat);
		}

		@Override
		public void mayBeFree(String election, Duration turn) {
		}

		@Override
		public void mayHaveMissed() {
		}

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
