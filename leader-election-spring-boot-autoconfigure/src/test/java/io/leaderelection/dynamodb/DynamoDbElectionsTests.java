package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.Overlaps;
import io.leaderelection.nodes.RunningNodesContract;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on DynamoDB Local, and what they cost.
 */
class DynamoDbElectionsTests extends RunningNodesContract {

	private final DynamoDbServer server = DynamoDbServer.get();

	private final LeaseTable table = new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, UUID.randomUUID() + "/");

	private final List<DynamoDbLeaseStore> stores = new ArrayList<>();

	private final List<LeaderElections> nodes = new ArrayList<>();

	@AfterEach
	void closeNodes() {
		this.nodes.forEach(LeaderElections::close);
		this.stores.forEach(DynamoDbLeaseStore::close);
	}

	@Override
	protected LeaseStore newStore() {
		return newStore(this.server.connect());
	}

	private DynamoDbLeaseStore newStore(DynamoDbClient client) {
		DynamoDbLeaseStore store = new DynamoDbLeaseStore(client, this.table, client::close);
		this.stores.add(store);
		return store;
	}

	@Override
	protected void deleteAll() {
		this.server.deleteAll(this.table.prefix());
	}

	/** A hundred updates are a hundred requests, and the emulator is not fast. */
	@Override
	protected Duration lease() {
		return Duration.ofSeconds(4);
	}

	@Test
	void aCleanStopIsFollowedAtTheNextLook() {
		Duration lease = Duration.ofSeconds(3);
		LeaderElector one = node(newStore(), lease).elector("reports");
		LeaderElector other = node(newStore(), lease).elector("reports");
		List<Duration> handOvers = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			awaitCommonLeader(one, other);
			LeaderElector leader = one.isLeader() ? one : other;
			LeaderElector next = (leader == one) ? other : one;
			long start = System.nanoTime();
			leader.stepDown(lease);
			await().until(next::isLeader);
			handOvers.add(Duration.ofNanos(System.nanoTime() - start));
		}
		System.out.printf("Hand-over on DynamoDB Local with a renew interval of %d ms: %s ms%n",
				lease.dividedBy(3).toMillis(), handOvers.stream().map(Duration::toMillis).toList());
		assertThat(handOvers).allMatch((handOver) -> handOver.compareTo(lease) < 0);
	}

	@Test
	void aCrashIsFollowedAtTheEndOfTheLease() {
		Duration lease = Duration.ofSeconds(3);
		DynamoDbClient crashing = this.server.connect();
		LeaderElector first = node(newStore(crashing), lease).elector("reports");
		await().until(first::isLeader);
		DynamoDbLeaseStore store = newStore(this.server.connect());
		LeaderElector second = node(store, lease).elector("reports");
		awaitCommonLeader(first, second);
		try (Overlaps overlaps = new Overlaps(List.of(first, second))) {
			assertThat(overlaps).isNotNull();
			crashing.close();
			long crashedAt = System.nanoTime();
			Duration remaining = store.read("reports").orElseThrow().remaining();
			await().until(second::isLeader);
			Duration missed = Duration.ofNanos(System.nanoTime() - crashedAt);
			System.out.printf(
					"After a crash on DynamoDB Local: %d ms after the end of the lease as its follower saw it, %d ms "
							+ "after the crash, with a lease of %d ms%n",
					missed.minus(remaining).toMillis(), missed.toMillis(), lease.toMillis());
			assertThat(missed).isLessThan(remaining.plusMillis(1000));
		}
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostAWritePerElectionAndAReadPerFollower() {
		Duration lease = Duration.ofSeconds(12);
		List<Interference> counters = new ArrayList<>();
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Interference counter = new Interference();
			counters.add(counter);
			LeaderElections node = node(newStore(this.server.connect(counter)), lease);
			List<LeaderElector> own = IntStream.range(0, 100)
				.mapToObj((election) -> node.elector("election " + election))
				.toList();
			electors.addAll(own);
			await().until(() -> own.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
		}
		assertThat(electors.subList(0, 100)).allMatch(LeaderElector::isLeader);
		counters.forEach(Interference::forget);
		long start = System.nanoTime();
		Duration measured = lease.multipliedBy(2).dividedBy(3);
		await().pollDelay(measured).until(() -> true);
		List<String> counts = counters.stream().map((counter) -> counter.counts().toString()).toList();
		List<Integer> requests = counters.stream().map(Interference::count).toList();
		double intervals = (System.nanoTime() - start) / (double) lease.dividedBy(3).toNanos();
		System.out.printf("3 nodes x 100 elections on DynamoDB Local in %.1f renew intervals: %s%n", intervals, counts);
		assertThat(electors.subList(0, 100)).allMatch(LeaderElector::isLeader);
		assertThat(requests.get(0)).as("the leader's").isLessThanOrEqualTo((int) (100 * Math.ceil(intervals + 1)));
		// a look in each interval, and what it stands by for twice in a lease
		assertThat(requests.subList(1, 3)).as("those of who follow")
			.allMatch((count) -> count <= 4 * Math.ceil(intervals + 1));
	}

	private static void awaitCommonLeader(LeaderElector one, LeaderElector other) {
		await().until(() -> (one.isLeader() || other.isLeader()) && one.getCurrentLeader().isPresent()
				&& one.getCurrentLeader().equals(other.getCurrentLeader()));
	}

	private LeaderElections node(LeaseStore store, Duration lease) {
		LeaderElections node = LeaderElections.on(store)
			.nodeId("node-" + (this.nodes.size() + 1))
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		node.start();
		return node;
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

}
