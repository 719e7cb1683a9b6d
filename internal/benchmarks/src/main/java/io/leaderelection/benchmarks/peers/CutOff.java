package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.leaderelection.benchmarks.Waiting;

/**
 * The network of a leader swallows every packet for eight leases. How long does it call
 * itself leader beside another? Timeouts of clients are what they are by default.
 */
final class CutOff implements Experiment {

	private static final int LEASES = 8;

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		Duration time = bench.lease().multipliedBy(LEASES);
		try (Clusters clusters = new Clusters(bench, contestants, bench.shape().withSamples().withWires())) {
			for (int round = 0; round < bench.rounds(10); round++) {
				clusters.fill();
				clusters.settle();
				Map<Contestant, NodeProcess> cut = new EnumMap<>(Contestant.class);
				long since = NodeProcess.now();
				clusters.inTurn((cluster) -> {
					NodeProcess leader = cluster.leader();
					cluster.wire(leader).swallow();
					cut.put(cluster.contestant(), leader);
				});
				Waiting.pass(time);
				clusters.inTurn((cluster) -> note(cluster, cut.get(cluster.contestant()), since, bench));
				clusters.inTurn((cluster) -> {
					// some do not find back in a reasonable time
					NodeProcess leader = cut.get(cluster.contestant());
					cluster.wire(leader).forward();
					leader.close();
				});
			}
		}
	}

	private static void note(Cluster cluster, NodeProcess cut, long since, Bench bench) {
		double overlap = cluster.overlapMillis(since);
		boolean lasting = cut.claims().stream().anyMatch((claim) -> claim.until() == Long.MAX_VALUE);
		if (lasting && overlap > 0) {
			bench.noteBeyond(cluster.contestant(), "overlap", overlap);
		}
		else {
			bench.note(cluster.contestant(), "overlap", overlap);
		}
		bench.note(cluster.contestant(), "silence",
				cut.said("SILENT")
					.stream()
					.filter((said) -> said.micros() >= since)
					.mapToLong(NodeProcess.Said::number)
					.max()
					.orElse(0) / 1000.0);
	}

}
