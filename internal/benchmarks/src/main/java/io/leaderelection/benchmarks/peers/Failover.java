package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.benchmarks.peers.Cluster.Election;
import io.leaderelection.benchmarks.peers.Cluster.Shape;

/**
 * A leader is ended by a signal: how long until another node is told that it leads?
 */
final class Failover implements Experiment {

	private static final Duration TO_EXIT = Duration.ofSeconds(30);

	private final boolean web;

	private final boolean crash;

	Failover(boolean web, boolean crash) {
		this.web = web;
		this.crash = crash;
	}

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		Shape shape = bench.shape().withWeb(this.web);
		try (Clusters clusters = new Clusters(bench, contestants, shape)) {
			clusters.fill();
			for (int round = 0; round < bench.rounds(this.web ? 2 : 1); round++) {
				clusters.settle();
				Map<Contestant, Stop> stops = new EnumMap<>(Contestant.class);
				clusters.inTurn((cluster) -> stops.put(cluster.contestant(), stop(cluster)));
				// after a crash all wait for about the same moment, in which nobody
				// should start
				if (this.crash) {
					clusters.inTurn((cluster) -> cluster.awaitLeaderAfter(stops.get(cluster.contestant()).micros(),
							shape.patience()));
				}
				clusters.atOnce((cluster) -> {
					Stop stop = stops.get(cluster.contestant());
					note(cluster, stop, shape.patience(), bench);
					stop.leader().awaitExit(TO_EXIT);
					cluster.fill();
				});
			}
		}
	}

	private Stop stop(Cluster cluster) throws InterruptedException {
		NodeProcess leader = cluster.leader();
		Stop stop = new Stop(leader, NodeProcess.now());
		if (this.crash) {
			leader.kill();
		}
		else {
			leader.terminate();
		}
		// whoever is quick is not disturbed by the next one
		cluster.awaitLeaderAfter(stop.micros(), Duration.ofMillis(this.crash ? 200 : 1000));
		leader.exits(Duration.ofMillis(200));
		return stop;
	}

	private static void note(Cluster cluster, Stop stop, Duration patience, Bench bench) throws InterruptedException {
		Optional<Election> next = cluster.awaitLeaderAfter(stop.micros(), patience);
		if (next.isPresent()) {
			bench.note(cluster.contestant(), "next", (next.get().said().micros() - stop.micros()) / 1000.0);
		}
		else {
			bench.noteBeyond(cluster.contestant(), "next", patience.toMillis());
		}
	}

	private record Stop(NodeProcess leader, long micros) {
	}

}
