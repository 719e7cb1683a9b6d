package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.benchmarks.peers.Cluster.Shape;
import io.leaderelection.benchmarks.peers.NodeProcess.Said;

/**
 * How much later a web application is ready for having elections, and how much later if
 * the store accepts connections and answers nothing.
 */
final class StartUp implements Experiment {

	/**
	 * Otherwise it would be a matter of luck whose classes are one too many, which costs
	 * a full collection.
	 */
	private static final String ROOM_FOR_ALL_CLASSES = "-XX:MetaspaceSize=128m";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		Shape shape = bench.shape().withWeb(true).withWires().withOptions(ROOM_FOR_ALL_CLASSES);
		bench.each(contestants, 1, (contestant) -> {
			try (Cluster bare = new Cluster(contestant, shape.withElections(0));
					Cluster electing = new Cluster(contestant, shape)) {
				for (int round = 0; round < bench.rounds(2); round++) {
					time(bare, false, "bare", bench);
					time(electing, false, "elections", bench);
				}
				boolean ready = true;
				for (int round = 0; ready && round < bench.rounds(4); round++) {
					ready = time(electing, true, "silent-store", bench);
				}
			}
		});
	}

	private static boolean time(Cluster cluster, boolean cutOff, String measure, Bench bench) throws Exception {
		try (NodeProcess node = cluster.start(cutOff)) {
			Optional<Said> ready = node.await("READY", 0, PATIENCE);
			if (ready.isPresent()) {
				bench.note(cluster.contestant(), measure, ready.get().number() / 1000.0);
			}
			else if (node.alive()) {
				bench.noteBeyond(cluster.contestant(), measure, PATIENCE.toMillis());
			}
			else {
				System.err.println("%s does not start: %s".formatted(node.name(), measure));
			}
			return ready.isPresent();
		}
	}

}
