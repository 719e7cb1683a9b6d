package io.leaderelection.etcd;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.etcd.jetcd.Client;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.ClosableClientContract;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.servers.EtcdServer;
import io.leaderelection.servers.TcpProxy;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on a real server, through what may happen to it.
 */
class EtcdElectionsTests extends ClosableClientContract<Client> {

	private static EtcdServer server;

	private static Client admin;

	private final String prefix = "/" + UUID.randomUUID();

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

	@Override
	protected String product() {
		return "etcd";
	}

	@Override
	protected Client connect() {
		return server.connect();
	}

	@Override
	protected LeaseStore storeOn(Client client) {
		return new EtcdLeaseStore(client, this.prefix, Duration.ofSeconds(10), InstantSource.system(), client::close);
	}

	@Override
	protected void deleteAll() {
		EtcdServer.deleteAll(admin, this.prefix);
	}

	@Test
	void aCleanStopIsFollowedAtOnce() {
		List<Duration> handOvers = handOvers(7, Duration.ofSeconds(10), Duration.ofMillis(300));
		assertThat(handOvers.get(3)).isLessThan(Duration.ofMillis(500));
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostOneStreamAndAFewTransactions() {
		Duration lease = Duration.ofMillis(1500);
		long streamsBefore = server.calls("LeaseKeepAlive");
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			electors.addAll(electors(node(newStore(), lease), 100));
		}
		await().until(() -> electors.stream().filter(LeaderElector::isLeader).count() == 100);
		await().until(() -> isIdleForALease(lease));
		assertThat(server.calls("LeaseKeepAlive") - streamsBefore).isEqualTo(3);
		assertThat(server.calls("Range")).as("requests by other ways").isZero();
	}

	private static boolean isIdleForALease(Duration lease) {
		long before = server.calls("Txn");
		long start = System.nanoTime();
		await().pollDelay(lease).until(() -> true);
		long calls = server.calls("Txn") - before;
		double seconds = (System.nanoTime() - start) / 1e9;
		System.out.printf("3 nodes x 100 elections on etcd: %d transactions in %.1f s, %.2f per node and second%n",
				calls, seconds, calls / seconds / 3);
		long intervals = Math.round(seconds / (lease.toMillis() / 3000.0));
		// those who follow ask about once a lease, not all at once
		return calls >= 1 && calls <= 3 * (intervals + 2);
	}

	@Test
	void aServerThatHangsEndsLeadershipInTimeAndGivesItBack() {
		Duration lease = Duration.ofSeconds(2);
		LeaderElector elector = node(newStore(), lease).elector("reports");
		await().until(elector::isLeader);
		long pausedAt = System.nanoTime();
		server.pause();
		try {
			await().until(() -> !elector.isLeader());
			assertThat(Duration.ofNanos(System.nanoTime() - pausedAt)).isLessThan(lease.plusMillis(100));
		}
		finally {
			server.resume();
		}
		await().until(elector::isLeader);
	}

	@Test
	void aDataDirectoryThatWasReplacedMakesNoSecondLeaderAndNoLowerToken() {
		Duration lease = Duration.ofSeconds(2);
		LeaderElector one = node(newStore(), lease).elector("reports");
		LeaderElector other = node(newStore(), lease).elector("reports");
		awaitCommonLeader(List.of(one, other));
		long before = highestToken(List.of(one, other)).orElseThrow();
		try (Overlaps overlaps = new Overlaps(List.of(one, other))) {
			assertThat(overlaps).isNotNull();
			server.wipe();
			await().until(() -> one.isLeader() || other.isLeader());
			awaitCommonLeader(List.of(one, other));
			assertThat(highestToken(List.of(one, other)).orElseThrow()).isGreaterThanOrEqualTo(before);
		}
		closeNodes();
		server.wipe();
		LeaderElector newcomer = node(newStore(), lease).elector("reports");
		await().until(newcomer::isLeader);
		assertThat(newcomer.fencingToken().orElseThrow().value()).isGreaterThan(before);
	}

	@Test
	void aWatchGoesOnThoughHistoryWasCompactedAndRevisionsWentBack() throws IOException {
		try (TcpProxy proxy = new TcpProxy(server::port)) {
			Duration lease = Duration.ofSeconds(6);
			LeaderElector leader = node(newStore(), lease).elector("reports");
			await().until(leader::isLeader);
			LeaderElector follower = node(newStore(EtcdServer.connect("http://127.0.0.1:" + proxy.port())), lease)
				.elector("reports");
			awaitCommonLeader(List.of(leader, follower));
			proxy.swallow();
			for (int i = 0; i < 3; i++) {
				long revision = admin.getKVClient()
					.put(Keys.bytes(this.prefix + "/unrelated"), Keys.bytes("x"))
					.orTimeout(10, TimeUnit.SECONDS)
					.join()
					.getHeader()
					.getRevision();
				admin.getKVClient().compact(revision).orTimeout(10, TimeUnit.SECONDS).join();
			}
			proxy.forwardNewOnly();
			proxy.reset();
			// the client watches again after half a second, which would be a hint by
			// itself
			await().pollDelay(Duration.ofMillis(1500)).until(() -> true);
			awaitHandOver(leader, follower);
			server.wipe();
			awaitCommonLeader(List.of(leader, follower));
			awaitHandOver(follower, leader);
		}
	}

	/** Within a part of the lease, so by a hint. */
	private static void awaitHandOver(LeaderElector from, LeaderElector to) {
		Awaitility.await().atMost(Duration.ofSeconds(4)).until(() -> {
			if (from.isLeader()) {
				from.operations().stepDown(Duration.ofSeconds(3));
			}
			return to.isLeader();
		});
	}

}
