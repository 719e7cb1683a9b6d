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
		this.nodes.forEach(LeaderElections::close);
	}

	@Test
	void noTwoOfThreeNodesLeadThoughAllDataIsLostAgainAndAgain() {
		LeaseStore observer = newStore();
		List<LeaderElector> electors = new ArrayList<>();
		for (int i = 1; i <= 3; i++) {
			electors.add(start("node-" + i, "reports").get(0));
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
		List<LeaderElector> electors = start("only",
				IntStream.range(0, 100).mapToObj((i) -> "election-" + i).toArray(String[]::new));
		await().until(() -> electors.stream().allMatch(LeaderElector::isLeader));
	}

	private List<LeaderElector> start(String nodeId, String... elections) {
		LeaderElections node = LeaderElections.on(newStore())
			.nodeId(nodeId)
			.settings(ElectionSettings.ofLease(lease()))
			.build();
		this.nodes.add(node);
		List<LeaderElector> electors = IntStream.range(0, elections.length)
			.mapToObj((i) -> node.elector(elections[i]))
			.toList();
		node.start();
		return electors;
	}

	/** A node that has not heard of the election may take a lease that is lost. */
	private static void awaitCommonLeader(List<LeaderElector> electors) {
		await().until(() -> {
			List<Optional<Leader>> leaders = electors.stream().map(LeaderElector::getCurrentLeader).distinct().toList();
			return leaders.size() == 1 && leaders.get(0).isPresent()
					&& electors.stream().anyMatch(LeaderElector::isLeader);
		});
	}

	private static OptionalLong highestToken(List<LeaderElector> electors) {
		return electors.stream()
			.flatMap((elector) -> elector.fencingToken().stream())
			.mapToLong((token) -> token.value())
			.max();
	}

	private static ConditionFactory await() {
		return Awaitility.await().pollInterval(Duration.ofMillis(2)).atMost(Duration.ofSeconds(30));
	}

}
