package io.leaderelection.dynamodb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.leaderelection.LeaderElector;
import io.leaderelection.nodes.ClosableClientContract;
import io.leaderelection.servers.DynamoDbServer;
import io.leaderelection.store.LeaseStore;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Running elections on DynamoDB Local, and what they cost.
 */
class DynamoDbElectionsTests extends ClosableClientContract<DynamoDbClient> {

	private final DynamoDbServer server = DynamoDbServer.get();

	private final LeaseTable table = new LeaseTable(DynamoDbServer.TABLE, DynamoDbServer.KEY, UUID.randomUUID() + "/");

	@Override
	protected String product() {
		return "DynamoDB Local";
	}

	@Override
	protected DynamoDbClient connect() {
		return this.server.connect();
	}

	@Override
	protected LeaseStore storeOn(DynamoDbClient client) {
		return new DynamoDbLeaseStore(client, this.table, client::close);
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
		assertThat(handOvers(3, lease, Duration.ofMillis(1500))).allMatch((handOver) -> handOver.compareTo(lease) < 0);
	}

	@Test
	void threeIdleNodesWithAHundredElectionsCostAWritePerElectionAndAReadPerFollower() {
		Duration lease = Duration.ofSeconds(12);
		List<Interference> counters = new ArrayList<>();
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Interference counter = new Interference();
			counters.add(counter);
			List<LeaderElector> own = electors(node(newStore(this.server.connect(counter)), lease), 100);
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

}
