package io.leaderelection.benchmarks.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.benchmarks.peers.Cluster.Shape;
import io.leaderelection.benchmarks.peers.NodeProcess.Said;

/**
 * How much later a web application is ready for having elections, with and without an
 * archive of its classes, and how much later if the store accepts connections and answers
 * nothing.
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
				boolean ready = true;
				for (int round = 0; round < bench.rounds(2); round++) {
					time(bare, false, "bare", bench);
					time(electing, false, "elections", bench);
					// who is not ready then would not be the next time either
					ready = ready && time(electing, true, "silent-store", bench);
				}
			}
			withArchives(contestant, shape, bench);
		});
	}

	private static void withArchives(Contestant contestant, Shape shape, Bench bench) throws Exception {
		Path bareArchive = archive(contestant, shape.withElections(0), bench);
		Path archive = archive(contestant, shape, bench);
		try (Cluster bare = new Cluster(contestant, archived(shape.withElections(0), bareArchive));
				Cluster electing = new Cluster(contestant, archived(shape, archive))) {
			for (int round = 0; round < bench.rounds(1); round++) {
				time(bare, false, "archived-bare", bench);
				time(electing, false, "archived-elections", bench);
			}
		}
		finally {
			Files.deleteIfExists(bareArchive);
			Files.deleteIfExists(archive);
		}
	}

	private static Shape archived(Shape shape, Path archive) {
		return shape.withOptions(ROOM_FOR_ALL_CLASSES, "-XX:SharedArchiveFile=" + archive);
	}

	/**
	 * Lets a node run once, and archives what it has loaded.
	 */
	private static Path archive(Contestant contestant, Shape shape, Bench bench) throws Exception {
		Path archive = bench.logs().toAbsolutePath().resolve("%s-%d.jsa".formatted(contestant.id(), shape.elections()));
		try (Cluster cluster = new Cluster(contestant,
				shape.withOptions(ROOM_FOR_ALL_CLASSES, "-XX:ArchiveClassesAtExit=" + archive))) {
			NodeProcess node = cluster.start(false);
			node.expect("READY", PATIENCE);
			node.terminate();
			node.awaitExit(PATIENCE);
		}
		if (!Files.exists(archive)) {
			throw new IllegalStateException("%s has archived no classes".formatted(contestant.id()));
		}
		return archive;
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
