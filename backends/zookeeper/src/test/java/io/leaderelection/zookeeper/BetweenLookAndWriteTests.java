package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.leaderelection.servers.ZooKeeperServers;
import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import io.leaderelection.store.Candidacy;
import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import io.leaderelection.store.Renewal;
import io.leaderelection.store.RenewResult.Lost;
import io.leaderelection.store.RenewResult.Renewed;
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

	private final Tree tree = new Tree("", this.root);

	private final List<ZooKeeperLeaseStore> stores = new ArrayList<>();

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
		this.stores.forEach(ZooKeeperLeaseStore::close);
	}

	private ZooKeeperLeaseStore store() {
		ZooKeeperLeaseStore store = Clients.store(Clients.started(server.getConnectString(), LEASE), this.root);
		this.stores.add(store);
		return store;
	}

	private static AcquireResult ask(ZooKeeperLeaseStore store, Owner owner, Duration lease) {
		return store.acquire(List.of(candidacy(owner, lease))).get(0);
	}

	private static Candidacy candidacy(Owner owner, Duration lease) {
		return new Candidacy("reports", owner, lease, 0, true);
	}

	private static Lease win(ZooKeeperLeaseStore store, Owner owner, Duration lease) {
		AcquireResult answer = ask(store, owner, lease);
		assertThat(answer).isInstanceOf(Granted.class);
		return new Lease("reports", owner, ((Granted) answer).token(), lease);
	}

	private int version() throws Exception {
		return admin.checkExists().forPath(this.tree.election("reports")).getVersion();
	}

	/** The election as somebody else has made it anew, with a record of this version. */
	private Lease heldAnew(ZooKeeperLeaseStore store, int version) throws Exception {
		Clients.deleteAll(admin, this.tree.election("reports"));
		Lease lease = win(store, this.rival, LEASE);
		while (version() < version) {
			lease = win(store, this.rival, lease.duration().equals(LEASE) ? OTHER_LEASE : LEASE);
		}
		assertThat(version()).isEqualTo(version);
		return lease;
	}

	/**
	 * The inner parts of a store, to which something happens right after its first look.
	 */
	private final class Slow {

		private final Sightings sightings = new Sightings();

		private final OwnLeases own = new OwnLeases();

		private final Session session;

		private Runnable afterTheLook = () -> {
		};

		private final Looks looks = new Looks(BetweenLookAndWriteTests.this.tree, this.sightings) {

			@Override
			List<Look> at(Session session, List<String> elections) {
				List<Look> seen = super.at(session, elections);
				lookedAt();
				return seen;
			}

			@Override
			Optional<Look> ahead(Session session, String election) {
				Optional<Look> seen = super.ahead(session, election);
				if (seen.isPresent()) {
					lookedAt();
				}
				return seen;
			}

			private void lookedAt() {
				Runnable next = Slow.this.afterTheLook;
				Slow.this.afterTheLook = () -> {
				};
				next.run();
			}

		};

		Slow() {
			CuratorFramework client = Clients.started(server.getConnectString(), LEASE);
			BetweenLookAndWriteTests.this.stores.add(Clients.store(client, BetweenLookAndWriteTests.this.root));
			this.session = new Connection(() -> client, BetweenLookAndWriteTests.this.tree, new DefaultACLProvider(),
					new Hints(), this.sightings)
				.session();
		}

		Slow butFirst(Action action) {
			this.afterTheLook = () -> {
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
			return new Acquiring(this.session, this.looks, this.sightings, this.own,
					List.of(candidacy(BetweenLookAndWriteTests.this.hasty, lease)))
				.answers()
				.get(0);
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
		assertThat(held.remaining()).isEqualTo(SHORT_LEASE);
		// the holder goes on meanwhile, unseen
		Awaitility.await().pollInterval(Duration.ofMillis(50)).until(() -> {
			assertThat(holder.renew(List.of(new Renewal(lease, false)))).hasOnlyElementsOfType(Renewed.class);
			return System.nanoTime() - toldAt > 2 * SHORT_LEASE.toNanos();
		});
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
		Awaitility.await().pollDelay(SHORT_LEASE).until(() -> true);
		slow.butFirst(() -> holder.acquire(List.of(candidacy(this.rival, SHORT_LEASE))));
		assertThat(slow.asks(LEASE)).isInstanceOf(Held.class);
	}

	@Test
	void aRenewalDoesNotOverwriteAnElectionMadeAnew() throws Exception {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease lease = new Lease("reports", this.hasty, ((Granted) slow.asks(LEASE)).token(), LEASE);
		int version = version();
		String candidate = admin.getChildren().forPath(this.tree.election("reports")).get(0);
		admin.delete().forPath(this.tree.election("reports") + "/" + candidate);
		slow.butFirst(() -> heldAnew(other, version));
		assertThat(new Renewing(slow.session, slow.looks, slow.own, List.of(new Renewal(lease, false))).answers())
			.hasOnlyElementsOfType(Lost.class);
	}

	@Test
	void aReleaseDoesNotFreeAnElectionMadeAnew() throws Exception {
		ZooKeeperLeaseStore other = store();
		Slow slow = new Slow();
		Lease lease = new Lease("reports", this.hasty, ((Granted) slow.asks(LEASE)).token(), LEASE);
		int version = version();
		String candidate = admin.getChildren().forPath(this.tree.election("reports")).get(0);
		admin.delete().forPath(this.tree.election("reports") + "/" + candidate);
		slow.butFirst(() -> heldAnew(other, version));
		new GivingUp(slow.session, slow.looks, slow.own, (given) -> new LeaseRecord.Free(given.token(), LEASE))
			.giveUp(List.of(lease));
		assertThat(LeaseRecord.parse(admin.getData().forPath(this.tree.election("reports"))))
			.isInstanceOfSatisfying(LeaseRecord.Held.class, (held) -> assertThat(held.owner()).isEqualTo(this.rival));
	}

	@Test
	void aHolderWhoseNodeWasDeletedStillReleases() throws Exception {
		Slow slow = new Slow();
		Lease lease = new Lease("reports", this.hasty, ((Granted) slow.asks(LEASE)).token(), LEASE);
		String candidate = admin.getChildren().forPath(this.tree.election("reports")).get(0);
		admin.delete().forPath(this.tree.election("reports") + "/" + candidate);
		new GivingUp(slow.session, slow.looks, slow.own, (given) -> new LeaseRecord.Free(given.token(), LEASE))
			.giveUp(List.of(lease));
		assertThat(LeaseRecord.parse(admin.getData().forPath(this.tree.election("reports"))))
			.isEqualTo(new LeaseRecord.Free(lease.token(), LEASE));
		assertThat(admin.getChildren().forPath(this.tree.election("reports"))).isEmpty();
	}

}
