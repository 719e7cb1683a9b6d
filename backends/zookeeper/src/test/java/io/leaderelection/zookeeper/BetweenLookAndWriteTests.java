package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.RenewRequest;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.HeartbeatRecords;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.ObservedLeaseStore;
import io.leaderelection.store.observed.WriteResult;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens between a look and the write that follows it: the write must fail, and
 * another look be taken.
 */
@Timeout(60)
class BetweenLookAndWriteTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private static final Duration OTHER_LEASE = Duration.ofSeconds(21);

	private static final Duration SHORT_LEASE = Duration.ofMillis(1000);

	private static TestingServer server;

	private static CuratorFramework admin;

	private final String root = "/between-" + UUID.randomUUID();

	private final Paths paths = new Paths("", this.root);

	private final List<ObservedLeaseStore> stores = new ArrayList<>();

	private final Owner hasty = new Owner("hasty", "1");

	private final Owner rival = new Owner("rival", "1");

	@BeforeAll
	static void startServer() throws Exception {
		server = ZooKeeperServers.single();
		admin = Clients.started(server.getConnectString(), LEASE);
	}

	@AfterAll
	static void stopServer() throws Exception {
		admin.close();
		server.close();
	}

	@AfterEach
	void closeStores() {
		this.stores.forEach(ObservedLeaseStore::close);
	}

	private ZooKeeperLeaseStore store() {
		ZooKeeperLeaseStore store = Clients.store(Clients.started(server.getConnectString(), LEASE), this.root);
		this.stores.add(store);
		return store;
	}

	private static AcquireResult ask(ZooKeeperLeaseStore store, Owner owner, Duration lease) {
		return store.acquire(List.of(candidacy(owner, lease))).get(0);
	}

	private static AcquireRequest candidacy(Owner owner, Duration lease) {
		return new AcquireRequest("reports", owner, lease, 0, true);
	}

	private static Lease win(ZooKeeperLeaseStore store, Owner owner, Duration lease) {
		AcquireResult answer = ask(store, owner, lease);
		assertThat(answer).isInstanceOf(Granted.class);
		return new Lease("reports", owner, ((Granted) answer).token(), lease);
	}

	private int version() throws Exception {
		return admin.checkExists().forPath(this.paths.record("reports")).getVersion();
	}

	/** The election as somebody else has made it anew, with a record of this version. */
	private Lease heldAnew(ZooKeeperLeaseStore store, int version) throws Exception {
		Clients.deleteAll(admin, this.paths.record("reports"));
		Lease lease = win(store, this.rival, LEASE);
		while (version() < version) {
			lease = win(store, this.rival, lease.duration().equals(LEASE) ? OTHER_LEASE : LEASE);
		}
		assertThat(version()).isEqualTo(version);
		return lease;
	}

	/**
	 * A store to which something happens right after it has read a record.
	 */
	private final class Slow {

		private final Interrupted records;

		private final ObservedLeaseStore store;

		Slow() {
			CuratorFramework client = Clients.started(server.getConnectString(), LEASE);
			this.records = new Interrupted(new ZooKeeperLeaseRecords(() -> client, BetweenLookAndWriteTests.this.paths,
					new DefaultACLProvider(), () -> CompletableFuture.runAsync(client::close)));
			this.store = new ObservedLeaseStore(this.records);
			BetweenLookAndWriteTests.this.stores.add(this.store);
		}

		Slow butFirst(Action action) {
			this.records.afterTheRead = () -> {
				try {
					action.run();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			};
			return this;
		}

		AcquireResult asks(Duration lease) {
			return this.store.acquire(List.of(candidacy(BetweenLookAndWriteTests.this.hasty, lease))).get(0);
		}

		Lease wins(Duration lease) {
			return new Lease("reports", BetweenLookAndWriteTests.this.hasty, ((Granted) asks(lease)).token(), lease);
		}

	}

	private static final class Interrupted implements HeartbeatRecords {

		private final HeartbeatRecords records;

		private Runnable afterTheRead = () -> {
		};

		Interrupted(HeartbeatRecords records) {
			this.records = records;
		}

		@Override
		public Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit) {
			Snapshots read = this.records.read(elections, heartbeats, limit);
			if (!elections.isEmpty()) {
				Runnable next = this.afterTheRead;
				this.afterTheRead = () -> {
				};
				next.run();
			}
			return read;
		}

		@Override
		public String heartbeat(Duration lease, Duration limit) {
			return this.records.heartbeat(lease, limit);
		}

		@Override
		public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
			return this.records.write(writes, limit);
		}

		@Override
		public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
			this.records.registerCandidate(node, elections, duration, limit);
		}

		@Override
		public List<Owner> candidates(String election, Duration limit) {
			return this.records.candidates(election, limit);
		}

		@Override
		public void close() {
			this.records.close();
		}

	}

	interface Action {

		void run() throws Exception;

	}

	@Test
	void anElectionMadeAnewIsNotTakenFromItsHolder() throws Exception {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease first = win(other, this.rival, LEASE);
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
		other.release(List.of(first));
		int free = version();
		slow.butFirst(() -> heldAnew(other, free));
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void anElectionMadeAnewIsNotTakenByANewCandidateEither() throws Exception {
		ZooKeeperLeaseStore other = store();
		other.release(List.of(win(other, this.rival, LEASE)));
		int free = version();
		Slow slow = new Slow().butFirst(() -> heldAnew(other, free));
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void aLeaseThatIsTakenMeanwhileIsNotTakenAgain() {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease first = win(other, this.rival, LEASE);
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
		other.release(List.of(first));
		slow.butFirst(() -> win(other, this.rival, LEASE));
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void aLeaseIsNotTakenIfItsHolderProvesItsLifeAtTheLastMoment() {
		ZooKeeperLeaseStore holder = store();
		Lease lease = win(holder, this.rival, SHORT_LEASE);
		Slow slow = new Slow();
		Held held = (Held) slow.asks(LEASE);
		long toldAt = System.nanoTime();
		assertThat(held.remaining()).isGreaterThan(SHORT_LEASE.dividedBy(2)).isLessThanOrEqualTo(SHORT_LEASE);
		// the holder goes on meanwhile, unseen
		Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> {
			assertThat(holder.renew(List.of(new RenewRequest(lease, false)))).hasOnlyElementsOfType(Renewed.class);
			return System.nanoTime() - toldAt > 2 * SHORT_LEASE.toNanos();
		});
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
		Awaitility.await().pollDelay(SHORT_LEASE).until(() -> true);
		slow.butFirst(() -> holder.acquire(List.of(candidacy(this.rival, SHORT_LEASE))));
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
	}

	/** So that the holder has to read the record before it writes. */
	private void touch() throws Exception {
		String path = this.paths.record("reports");
		admin.setData().forPath(path, admin.getData().forPath(path));
	}

	private LeaseRecord record() throws Exception {
		return ZooKeeperLeaseRecords.FORMAT.read(admin.getData().forPath(this.paths.record("reports")));
	}

	@Test
	void aRenewalDoesNotOverwriteAnElectionMadeAnew() throws Exception {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease lease = slow.wins(LEASE);
		touch();
		int version = version();
		slow.butFirst(() -> heldAnew(other, version));
		assertThat(slow.store.renew(List.of(new RenewRequest(lease, false)))).hasOnlyElementsOfType(Lost.class);
		assertThat(record().holder()).isEqualTo(this.rival);
	}

	@Test
	void aReleaseDoesNotFreeAnElectionMadeAnew() throws Exception {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease lease = slow.wins(LEASE);
		touch();
		int version = version();
		slow.butFirst(() -> heldAnew(other, version));
		slow.store.release(List.of(lease));
		assertThat(record().holder()).isEqualTo(this.rival);
	}

	@Test
	void aHolderWhoseRecordWasTouchedStillReleases() throws Exception {
		Slow slow = new Slow();
		Lease lease = slow.wins(LEASE);
		touch();
		slow.store.release(List.of(lease));
		assertThat(record()).isEqualTo(LeaseRecord.free(lease));
	}

}
