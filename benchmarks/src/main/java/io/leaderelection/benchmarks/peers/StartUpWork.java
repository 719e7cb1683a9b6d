package io.leaderelection.benchmarks.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.leaderelection.benchmarks.peers.Cluster.Shape;
import io.leaderelection.benchmarks.peers.EmulatedProcessor.Counts;

/**
 * How many more instructions a web application executes until it is ready for having
 * elections: on the thread that starts it, and on all threads.
 */
final class StartUpWork implements Experiment {

	/** An emulated processor is slow. */
	private static final Duration PATIENCE = Duration.ofMinutes(10);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		EmulatedProcessor processor = EmulatedProcessor.in(bench.logs());
		Shape shape = bench.shape().withWeb(true).withMoreOptions(StartUp.ROOM_FOR_ALL_CLASSES);
		bench.each(contestants, Runtime.getRuntime().availableProcessors(), (contestant) -> {
			try (Cluster bare = new Cluster(contestant, shape.withElections(0));
					Cluster electing = new Cluster(contestant, shape)) {
				for (int round = 0; round < bench.rounds(5); round++) {
					count(bare, "bare", processor, bench);
					count(electing, "elections", processor, bench);
				}
			}
		});
	}

	private static void count(Cluster cluster, String measure, EmulatedProcessor processor, Bench bench)
			throws Exception {
		Path counts = Files.createTempFile(bench.logs(), cluster.contestant().id(), ".counts");
		try (NodeProcess node = cluster.start(processor.launcher(counts))) {
			node.expect("READY", PATIENCE);
		}
		Counts counted = EmulatedProcessor.read(counts);
		bench.note(cluster.contestant(), "main-" + measure, counted.main() / 1e6);
		bench.note(cluster.contestant(), "all-" + measure, counted.all() / 1e6);
	}

}
