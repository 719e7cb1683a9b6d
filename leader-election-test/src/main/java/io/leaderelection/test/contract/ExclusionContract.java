package io.leaderelection.test.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireResult.Held;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * At most one node holds a lease, however many ask at once.
 */
interface ExclusionContract extends Contract {

	int CONTENDERS = 6;

	@Test
	default void ofManyFirstRequestsOneIsGranted() throws Exception {
		List<Node> nodes = scene().nodes(CONTENDERS);
		for (String election : scene().elections(25)) {
			CyclicBarrier start = new CyclicBarrier(CONTENDERS);
			List<Callable<AcquireResult>> requests = new ArrayList<>();
			for (Node node : nodes) {
				requests.add(() -> {
					start.await(30, TimeUnit.SECONDS);
					return node.asksFor(election);
				});
			}
			List<AcquireResult> answers = scene().atOnce(requests);
			assertThat(answers).filteredOn(Granted.class::isInstance).hasSize(1);
			assertThat(answers).filteredOn(Held.class::isInstance).hasSize(CONTENDERS - 1);
		}
	}

	@Test
	default void ofManyContendersOneLeadsAtATime() throws Exception {
		String election = scene().election();
		Leaderships leaderships = new Leaderships(scene(), 200);
		List<Callable<Boolean>> contenders = new ArrayList<>();
		for (Node node : scene().nodes(CONTENDERS)) {
			contenders.add(() -> leaderships.contendedForBy(node, election));
		}
		assertThat(scene().atOnce(contenders)).containsOnly(true);
		assertThat(scene().node().reads(election).orElseThrow().token()).isEqualTo(leaderships.highestToken());
	}

	@Test
	default void ofManyContendersOneFollowsAnEndedLease() throws Exception {
		String election = scene().election();
		Node crashed = scene().node().withLeaseDuration(scene().shortLease());
		TimedGrant first = TimedGrant.of(crashed, election, 0);
		scene().abandon(crashed);
		AtomicInteger successors = new AtomicInteger();
		List<Callable<List<TimedGrant>>> contenders = new ArrayList<>();
		for (Node node : scene().nodes(CONTENDERS)) {
			contenders.add(() -> {
				List<TimedGrant> grants = new ArrayList<>();
				boolean onceMore = true;
				while (onceMore) {
					scene().goesOn(first.answeredAt(), "a successor");
					onceMore = successors.get() == 0;
					TimedGrant.tried(node, election, first.lease().token()).ifPresent((grant) -> {
						successors.incrementAndGet();
						grants.add(grant);
					});
				}
				return grants;
			});
		}
		List<TimedGrant> grants = scene().atOnce(contenders)
			.stream()
			.flatMap((ofOne) -> ofOne.stream().limit(1))
			.toList();
		assertThat(grants).as("nodes that followed").hasSize(1);
		assertThat(grants.get(0).lease().token()).isGreaterThan(first.lease().token());
		if (!scene().leasesAreSessions()) {
			grants.get(0).followed(first);
		}
	}

}
