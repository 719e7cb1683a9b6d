package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.leaderelection.benchmarks.Waiting;

/**
 * A leader is stopped, as a virtual machine or a long collection does it, until another
 * one leads. When it wakes: how long does it still call itself leader beside the other?
 */
final class Pause implements Experiment {

	private static final Duration TO_NOTICE = Duration.ofSeconds(1);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		try (Clusters clusters = new Clusters(bench, contestants, bench.shape().withSamples())) {
			clusters.fill();
			for (int round = 0; round < bench.rounds(4); round++) {
				clusters.settle();
				Map<Contestant, NodeProcess> paused = new EnumMap<>(Contestant.class);
				long stopped = NodeProcess.now();
				clusters.inTurn((cluster) -> {
					NodeProcess leader = cluster.leader();
					leader.signal("STOP");
					paused.put(cluster.contestant(), leader);
				});
				clusters.inTurn((cluster) -> cluster.awaitLeaderAfter(stopped, bench.shape().patience())
					.filter((next) -> next.node() != paused.get(cluster.contestant()))
					.orElseThrow(() -> new IllegalStateException("Nobody took over")));
				Map<Contestant, Long> woken = new EnumMap<>(Contestant.class);
				clusters.inTurn((cluster) -> {
					woken.put(cluster.contestant(), NodeProcess.now());
					paused.get(cluster.contestant()).signal("CONT");
					Waiting.pass(TO_NOTICE);
				});
				clusters.inTurn((cluster) -> bench.note(cluster.contestant(), "overlap",
						cluster.overlapMillis(woken.get(cluster.contestant()))));
			}
		}
	}

}
