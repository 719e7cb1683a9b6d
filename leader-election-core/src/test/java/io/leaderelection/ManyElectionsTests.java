package io.leaderelection;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.leaderelection.engine.StoreAccess.Operation;
import io.leaderelection.store.RenewResult;
import io.leaderelection.store.RenewRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaderelection.Nodes.LONG;
import static io.leaderelection.Nodes.until;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of elections cost a node no more threads than one, and a call for a thousand.
 */
@Timeout(60)
class ManyElectionsTests {

	@RegisterExtension
	final Nodes nodes = new Nodes();

	@Test
	void thousandsOfElectionsTakeFewThreadsAndFewCalls() {
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections node = this.nodes.make("many", LONG, store);
		List<LeaderElector> electors = electors(node, 3_000);
		Map<String, Boolean> told = new ConcurrentHashMap<>();
		electors.forEach((elector) -> elector.onLeadershipGained(() -> told.put(elector.election(), true)));
		node.start();
		until(() -> told.size() == 3_000);
		assertThat(electors).allMatch(LeaderElector::isLeader);
		assertThat(store.calls(Operation.ACQUIRE)).isEqualTo(3);
		assertThat(Threads.of("many")).hasSizeLessThanOrEqualTo(4);
		node.stop();
		// released as listeners return, so how many go together depends on the threads
		assertThat(store.calls(Operation.RELEASE)).isLessThan(300);
	}

	@Test
	void theLeasesOfANodeAreRenewedInOneCall() {
		List<Integer> batches = new CopyOnWriteArrayList<>();
		TroubledStore store = new TroubledStore(this.nodes.store()) {

			@Override
			public List<RenewResult> renew(List<RenewRequest> renewals) {
				batches.add(renewals.size());
				return super.renew(renewals);
			}

		};
		LeaderElections node = this.nodes.make("renewing", Nodes.SHORT, store);
		// half of them come later, at another time of the interval
		List<LeaderElector> early = electors(node, 500);
		node.start();
		until(() -> early.stream().allMatch(LeaderElector::isLeader));
		List<LeaderElector> late = IntStream.range(500, 1_000).mapToObj((i) -> node.elector("election-" + i)).toList();
		until(() -> late.stream().allMatch(LeaderElector::isLeader));
		int before = batches.size();
		until(() -> batches.size() >= before + 6);
		// they fall into step: one call for all, each interval
		assertThat(batches.subList(before + 2, before + 6)).containsOnly(1_000);
		assertThat(early).allMatch(LeaderElector::isLeader);
		assertThat(late).allMatch(LeaderElector::isLeader);
	}

	@Test
	void aNodeAsksForAllLeasesThatItDoesNotHaveInOneCall() {
		LeaderElections leader = this.nodes.make("a", LONG, this.nodes.store());
		List<LeaderElector> leading = electors(leader, 1_000);
		leader.start();
		until(() -> leading.stream().allMatch(LeaderElector::isLeader));
		TroubledStore store = this.nodes.troubledStore();
		LeaderElections follower = this.nodes.make("b", LONG, store);
		List<LeaderElector> standing = electors(follower, 1_000);
		follower.start();
		until(() -> standing.stream().allMatch((elector) -> elector.getCurrentLeader().isPresent()));
		assertThat(store.calls(Operation.ACQUIRE)).isLessThanOrEqualTo(2);
		leader.stop();
		until(() -> standing.stream().allMatch(LeaderElector::isLeader));
	}

	private static List<LeaderElector> electors(LeaderElections node, int count) {
		return IntStream.range(0, count).mapToObj((i) -> node.elector("election-" + i)).toList();
	}

}
