package io.leaderelection.etcd;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.List;
import java.util.UUID;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.LeaseOption;
import io.etcd.jetcd.options.PutOption;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStore.Watch;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.WakeUps;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is particular to etcd: what happens between a look and a write, to a session, and
 * to tokens.
 */
class EtcdLeaseStoreTests {

	private static final Duration LEASE = Duration.ofMillis(1200);

	private static final Duration LONG_LEASE = Duration.ofSeconds(10);

	private static EtcdServer server;

	private static Client admin;

	private final String prefix = "/" + UUID.randomUUID();

	private final Keys keys = new Keys(this.prefix);

	private final Interference interference = new Interference();

	private final List<EtcdLeaseStore> stores = new ArrayList<>();

	@BeforeAll
	static void startServer() {
		server = EtcdServer.start();
		admin = server.connect();
	}

	@AfterAll
	static void stopServer() {
		if (server != null) {
			admin.close();
			server.close();
		}
	}

	@AfterEach
	void closeStores() {
		this.stores.forEach(EtcdLeaseStore::close);
	}

	@Test
	void aProofOfLifeBetweenLookAndWriteKeepsTheLease() {
		Node holder = node(server.connect());
		Node candidate = node(this.interference.connect(server));
		Lease lease = holder.wins("reports", LEASE);
		// so that candidates see a proof of life that could stay as it is
		holder.renews(lease);
		awaitEnd(candidate, LEASE);
		this.interference.beforeNextWrite(() -> prove(lease));
		assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void aForeignKeyAmongTheElectionsKeepsNobodyFromBeingWokenUp() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease lease = holder.wins("reports", LONG_LEASE);
		List<String> woken = new CopyOnWriteArrayList<>();
		try (Watch watch = candidate.store().watch(new NoWakeUps() {

			@Override
			public void wakeUp(String election) {
				woken.add(election);
			}

		}).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
			// in one transaction, so that the watch shows both at once
			admin.getKVClient()
				.txn()
				.Then(Op.put(Keys.bytes(this.prefix + "/elections/%zz"), Keys.bytes("foreign"), PutOption.DEFAULT),
						Op.put(this.keys.record("reports"), bytes(LeaseRecord.free(lease)), PutOption.DEFAULT))
				.commit()
				.orTimeout(5, TimeUnit.SECONDS)
				.join();
			await().until(() -> woken.contains("reports"));
		}
	}

	/** Proves life in the name of the holder's session, as its renewals do. */
	private void prove(Lease lease) {
		String session = record(lease.election()).heartbeat();
		put(this.keys.heartbeat(session), Keys.bytes("alive"));
	}

	private static void put(ByteSequence key, ByteSequence value) {
		admin.getKVClient().put(key, value).orTimeout(5, TimeUnit.SECONDS).join();
	}

	private static void awaitEnd(Node candidate, Duration lease) {
		long seenAt = System.nanoTime();
		assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
		await().until(() -> System.nanoTime() - seenAt > lease.plusMillis(50).toNanos());
	}

	@Test
	void aLeaseThatIsRenewedIsNotTakenThoughItsRecordStaysAsItIs() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease lease = holder.wins("reports", LEASE);
		assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
		long seenAt = System.nanoTime();
		Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> {
			assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
			assertThat(candidate.asksFor("reports", LEASE)).isInstanceOf(Held.class);
			return System.nanoTime() - seenAt > LEASE.plusMillis(300).toNanos();
		});
	}

	@Test
	void aGrantBetweenLookAndWriteIsNotOverwritten() {
		Node first = node(server.connect());
		Node second = node(this.interference.connect(server));
		List<Lease> taken = new ArrayList<>();
		beforeTheWriteAfterThatOfTheSession(() -> taken.add(first.wins("reports", LONG_LEASE)));
		assertThat(second.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
		assertThat(taken).hasSize(1);
		assertThat(first.renews(taken.get(0))).isInstanceOf(Renewed.class);
	}

	@Test
	void aRenewalDoesNotOverwriteWhatIsWrittenBetweenItsLookAndItsClaim() {
		Node holder = node(server.connect());
		Lease lease = holder.wins("reports", LONG_LEASE);
		Lease stolen = new Lease("reports", new Owner("rival", "1"), lease.token() + 1, LONG_LEASE);
		Node restarted = new Node(node(this.interference.connect(server)).store(), holder.owner());
		beforeTheWriteAfterThatOfTheSession(
				() -> put(this.keys.record("reports"), bytes(LeaseRecord.held(stolen, "session"))));
		assertThat(restarted.renews(lease)).isInstanceOf(Lost.class);
		assertThat(record("reports").isHeldWith(stolen)).isTrue();
	}

	@Test
	void aReleaseDoesNotOverwriteWhatIsWrittenSinceItsLook() {
		Node holder = node(server.connect());
		Lease lease = holder.wins("reports", LONG_LEASE);
		Lease stolen = new Lease("reports", new Owner("rival", "1"), lease.token() + 1, LONG_LEASE);
		LeaseStore restarted = node(this.interference.connect(server)).store();
		this.interference
			.beforeNextWrite(() -> put(this.keys.record("reports"), bytes(LeaseRecord.held(stolen, "session"))));
		restarted.release(List.of(lease));
		assertThat(record("reports").isHeldWith(stolen)).isTrue();
	}

	@Test
	void nothingIsGrantedOrRenewedInASessionThatEndsMeanwhile() {
		Node holder = node(this.interference.connect(server));
		beforeTheWriteAfterThatOfTheSession(() -> EtcdServer.deleteAll(admin, this.prefix + "/sessions/"));
		Lease lease = holder.wins("reports", LONG_LEASE);
		assertThat(sessions()).extracting(KeyValue::getKey)
			.contains(this.keys.heartbeat(record("reports").heartbeat()));
		Node restarted = new Node(node(this.interference.connect(server)).store(), holder.owner());
		beforeTheWriteAfterThatOfTheSession(() -> EtcdServer.deleteAll(admin, this.prefix + "/sessions/"));
		assertThat(restarted.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(sessions()).extracting(KeyValue::getKey)
			.contains(this.keys.heartbeat(record("reports").heartbeat()));
	}

	/** The first conditional write of a node is that of its session. */
	private void beforeTheWriteAfterThatOfTheSession(Runnable action) {
		this.interference.beforeNextWrite(() -> this.interference.beforeNextWrite(action));
	}

	@Test
	void aNewLeaseOfASessionThatHasLongBeenSilentIsNotTaken() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		holder.wins("reports", LEASE);
		awaitEnd(candidate, LEASE);
		holder.wins("mails", LEASE);
		assertThat(candidate.asksFor("mails", LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void whatSomebodyElseHasTakenIsNotGivenUpForThem() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease kept = holder.wins("mails", LONG_LEASE);
		holder.wins("reports", LEASE);
		Lease released = holder.wins("invoices", LEASE);
		assertThat(candidate.asksFor("invoices", LEASE)).isInstanceOf(Held.class);
		awaitEnd(candidate, LEASE);
		List<Lease> taken = List.of(candidate.wins("reports", LONG_LEASE), candidate.wins("invoices", LONG_LEASE));
		holder.store().release(List.of(released));
		// what is given up along the way is not waited for
		assertThat(holder.renews(kept)).isInstanceOf(Renewed.class);
		assertThat(holder.renews(kept)).isInstanceOf(Renewed.class);
		assertThat(taken).allMatch((lease) -> record(lease.election()).isHeldWith(lease));
	}

	@Test
	void aLeaseThatIsNoLongerRenewedEndsThoughItsNodeProvesItsLife() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease renewed = holder.wins("mails", LEASE);
		Lease forgotten = holder.wins("reports", LEASE);
		await().until(() -> {
			assertThat(holder.renews(renewed)).isInstanceOf(Renewed.class);
			return candidate.asksFor("reports", LEASE) instanceof Granted;
		});
		assertThat(holder.renews(forgotten)).isInstanceOf(Lost.class);
		assertThat(holder.renews(renewed)).isInstanceOf(Renewed.class);
	}

	@Test
	void aGrantThatWasNeverHeardOfEndsThoughItsNodeProvesItsLife() {
		Node holder = node(this.interference.connect(server));
		Node candidate = node(server.connect());
		Lease renewed = holder.wins("mails", LEASE);
		this.interference.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> holder.asksFor("reports", LEASE));
		this.interference.swallowAnswers(false);
		assertThat(record("reports").holder()).isEqualTo(holder.owner());
		await().until(() -> {
			assertThat(holder.renews(renewed)).isInstanceOf(Renewed.class);
			return candidate.asksFor("reports", LEASE) instanceof Granted;
		});
	}

	@Test
	void aGrantThatWasNeverHeardOfIsGrantedAgainWithTheSameToken() {
		Node holder = node(this.interference.connect(server));
		holder.wins("mails", LONG_LEASE);
		this.interference.swallowAnswers(true);
		assertThatExceptionOfType(LeaseStoreException.class).isThrownBy(() -> holder.asksFor("reports", LEASE));
		this.interference.swallowAnswers(false);
		long token = record("reports").token();
		assertThat(holder.wins("reports", LONG_LEASE).token()).isEqualTo(token);
	}

	@Test
	void aSessionThatIsGoneIsNeverTakenUpAgain() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease lease = holder.wins("reports", LONG_LEASE);
		String before = record("reports").heartbeat();
		EtcdServer.deleteAll(admin, this.prefix + "/sessions/");
		assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
		assertThat(record("reports").heartbeat()).isNotEqualTo(before);
		assertThat(admin.getKVClient().get(this.keys.heartbeat(before)).join().getKvs()).isEmpty();
		assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
		assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
	}

	@Test
	void anEtcdLeaseThatEndsTakesNoLeadershipWithIt() {
		Node holder = node(server.connect());
		Node candidate = node(server.connect());
		Lease lease = holder.wins("reports", LONG_LEASE);
		try (Watch watch = candidate.store().watch(new NoWakeUps()).orElseThrow()) {
			assertThat(watch).isNotNull();
			assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
			revokeAll();
			assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
			assertThat(holder.renews(lease)).isInstanceOf(Renewed.class);
			await().untilAsserted(() -> {
				assertThat(candidate.asksFor("reports", LONG_LEASE)).isInstanceOf(Held.class);
				assertThat(holder.store().read("reports").orElseThrow().candidates())
					.containsExactly(candidate.owner().nodeId());
			});
			holder.store().release(List.of(lease));
			assertThat(candidate.wins("reports", LONG_LEASE).token()).isGreaterThan(lease.token());
		}
	}

	/** Ends what the sessions of all nodes are attached to, as an operator may. */
	private void revokeAll() {
		sessions().forEach(
				(session) -> admin.getLeaseClient().revoke(session.getLease()).orTimeout(5, TimeUnit.SECONDS).join());
	}

	private List<KeyValue> sessions() {
		return Etcd.within(admin, Duration.ofSeconds(5)).list(Keys.bytes(this.prefix + "/sessions/"));
	}

	@Test
	void aNodeHasOneSessionForAllItsElectionsAndLeavesNoneBehind() {
		Node node = node(server.connect());
		for (int i = 0; i < 5; i++) {
			node.wins("election " + i, LONG_LEASE);
		}
		assertThat(sessions()).hasSize(1);
		this.stores.remove(0).close();
		assertThat(sessions()).isEmpty();
	}

	@Test
	void aSessionOutlastsTheLongestLease() {
		Node node = node(server.connect());
		Lease first = node.wins("reports", LONG_LEASE);
		node.wins("mails", Duration.ofMinutes(2));
		assertThat(node.renews(first)).isInstanceOf(Renewed.class);
		String session = record("mails").heartbeat();
		assertThat(record("reports").heartbeat()).isEqualTo(session);
		long lease = admin.getKVClient().get(this.keys.heartbeat(session)).join().getKvs().get(0).getLease();
		assertThat(admin.getLeaseClient().timeToLive(lease, LeaseOption.DEFAULT).join().getGrantedTTL())
			.isGreaterThan(180);
	}

	@Test
	void aTokenExceedsTheTimeSoThatItRisesWhenEtcdHasForgottenAll() {
		Instant later = Instant.now().plus(Duration.ofDays(3));
		Node ahead = node(server.connect(), InstantSource.fixed(later));
		Node behind = node(server.connect(), InstantSource.fixed(Instant.EPOCH));
		Lease first = ahead.wins("reports", LONG_LEASE);
		assertThat(first.token()).isEqualTo(later.getEpochSecond() * 1_000_000 + later.getNano() / 1_000);
		ahead.store().release(List.of(first));
		Lease second = behind.wins("reports", LONG_LEASE);
		assertThat(second.token()).isEqualTo(first.token() + 1);
	}

	private Node node(Client client) {
		return node(client, InstantSource.system());
	}

	private Node node(Client client, InstantSource clock) {
		EtcdLeaseStore store = new EtcdLeaseStore(client, this.prefix, Duration.ofSeconds(10), clock, client::close);
		this.stores.add(store);
		return new Node(store, new Owner("node-" + this.stores.size(), UUID.randomUUID().toString()));
	}

	private static ByteSequence bytes(LeaseRecord record) {
		return ByteSequence.from(EtcdLeaseRecords.FORMAT.write(record));
	}

	private LeaseRecord record(String election) {
		List<KeyValue> found = admin.getKVClient().get(this.keys.record(election)).join().getKvs();
		return EtcdLeaseRecords.FORMAT.read(found.get(0).getValue().getBytes());
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(20));
	}

	private record Node(LeaseStore store, Owner owner) {

		AcquireResult asksFor(String election, Duration lease) {
			return this.store.acquire(List.of(new AcquireRequest(election, this.owner, lease, 0, true))).get(0);
		}

		Lease wins(String election, Duration lease) {
			AcquireResult answer = asksFor(election, lease);
			assertThat(answer).isInstanceOf(Granted.class);
			return new Lease(election, this.owner, ((Granted) answer).token(), lease);
		}

		RenewResult renews(Lease lease) {
			return this.store.renew(List.of(new RenewRequest(lease, false))).get(0);
		}

	}

	private static class NoWakeUps implements WakeUps {

		@Override
		public void wakeUp(String election) {
		}

		@Override
		public void wakeUpAll() {
		}

		@Override
		public void leasesLost() {
		}

	}

}
