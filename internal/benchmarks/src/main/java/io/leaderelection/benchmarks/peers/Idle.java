package io.leaderelection.benchmarks.peers;

import java.util.List;

import io.leaderelection.benchmarks.peers.store.StoreServer.Load;

/**
 * Three nodes, nothing happens: what does the store have to do for that?
 */
final class Idle implements Experiment {

	/** Above that number some contestants need the whole machine. */
	private static final int LIGHT = 100;

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		for (int elections : bench.sizes(1, 100, 1000)) {
			bench.each(contestants, (elections <= LIGHT) ? 3 : 1,
					(contestant) -> measure(contestant, elections, bench));
		}
	}

	private static void measure(Contestant contestant, int elections, Bench bench) throws Exception {
		try (Cluster cluster = new Cluster(contestant, bench.shape().withElections(elections))) {
			cluster.fill();
			cluster.awaitAllLed();
			cluster.settle();
			Load load = cluster.store().load(bench.lease());
			bench.note(contestant, "requests-" + elections, load.requests());
			bench.note(contestant, "commands-" + elections, load.commands());
			cluster.led().ifPresent((led) -> bench.note(contestant, "led-" + elections, led));
		}
	}

}
