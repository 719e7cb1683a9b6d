package io.leaderelection.nodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Leader;
import io.leaderelection.LeaderElections;
import io.leaderelection.LeaderElector;
import io.leaderelection.store.LeaseStore;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole nodes on a real server, each with a client of its own.
 */
@Timeout(120)
public abstract class RunningNodesContract {

	private final List<LeaderElections> nodes = new ArrayList<>();

	/**
	 * A store for one node.
	 * @return a new store, with a client of its own
	 */
	protected abstract LeaseStore newStore();

	/**
	 * Deletes all that stores have written, behind their back.
	 */
	protected abstract void deleteAll();

	/**
	 * How long leases last: long enough for a hundred of them to be written in a part of
	 * it.
	 * @return the duration
	 */
	protected Duration lease() {
		return Duration.ofSeconds(1);
	}

	/**
	 * After a deletion: a third of a lease until the leader has written its record again,
	 * and one more in which everybody sees it.
	 */
	private Duration seenAgain() {
		return lease().multipliedBy(4).dividedBy(3);
	}

	@AfterEach
	void stopNodes() {
		closeNodes();
	}

	@Test
	void noTwoOfThreeNodesLeadThoughAllDataIsLostAgainAndAgain() {
		LeaseStore observer = newStore();
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			electors.add(node(newStore(), lease()).elector("reports"));
		}
		awaitCommonLeader(electors);
		try (Overlaps overlaps = new Overlaps(electors)) {
			assertThat(overlaps).isNotNull();
			long highest = 0;
			for (int round = 0; round < 3; round++) {
				long token = await().until(() -> highestToken(electors), OptionalLong::isPresent).getAsLong();
				assertThat(token).isGreaterThanOrEqualTo(highest);
				highest = token;
				deleteAll();
				// the worst moment to ask: before the leader has noticed
				electors.forEach(LeaderElector::tryBecomeLeader);
				await().until(() -> observer.read("reports").isPresent());
				// every time at another point between two renewals
				await().pollDelay(seenAgain().plusMillis(110L * round)).until(() -> true);
			}
			awaitCommonLeader(electors);
		}
	}

	@Test
	void aNodeAloneLeadsAllOfAHundredElections() {
		List<LeaderElector> electors = electors(node(newStore(), lease()), 100);
		await().until(() -> electors.stream().allMatch(LeaderElector::isLeader));
	}

	/**
	 * Starts a node.
	 * @param store of its own
	 * @param lease how long its leases last
	 * @return the node, which is closed after the test
	 */
	protected final LeaderElections node(LeaseStore store, Duration lease) {
		LeaderElections node = LeaderElections.on(store)
			.nodeId("node-" + (this.nodes.size() + 1))
			.settings(ElectionSettings.ofLease(lease))
			.build();
		this.nodes.add(node);
		node.start();
		return node;
	}

	/** Lets a node take part in many elections. */
	protected static List<LeaderElector> electors(LeaderElections node, int count) {
		return IntStream.range(0, count).mapToObj((i) -> node.elector("election " + i)).toList();
	}

	/** Ends all nodes in order. */
	protected final void closeNodes() {
		this.nodes.forEach(LeaderElections::close);
	}

	/** A node that has not heard of the election may take a lease that is lost. */
	protected static void awaitCommonLeader(List<LeaderElector> electors) {
		await().until(() -> {
			List<Optional<Leader>> leaders = electors.stream().map(LeaderElector::getCurrentLeader).distinct().toList();
			return leaders.size() == 1 && leaders.get(0).isPresent()
					&& electors.stream().anyMatch(LeaderElector::isLeader);
		});
	}

	protected static OptionalLong highestToken(List<LeaderElector> electors) {
		return electors.stream()
			.flatMap((elector) -> elector.fencingToken().stream())
			.mapToLong((token) -> token.value())
			.max();
	}

	protected static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

}
