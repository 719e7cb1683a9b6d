package io.leaderelection.benchmarks.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.benchmarks.peers.Cluster.Shape;
import io.leaderelection.benchmarks.peers.NodeProcess.Said;
import io.leaderelection.benchmarks.peers.store.StoreKind;

/**
 * How much later a web application is ready for having elections, with and without an
 * archive of its classes, how much later if the store accepts connections and answers
 * nothing, and how much later if it uses its database at the start anyway.
 */
final class StartUp implements Experiment {

	/**
	 * Otherwise it would be a matter of luck whose classes are one too many, which costs
	 * a full collection.
	 */
	static final String ROOM_FOR_ALL_CLASSES = "-XX:MetaspaceSize=128m";

	/** As any application does that initializes its database, or migrates it. */
	private static final String[] USE_DATABASE = { "-Dspring.sql.init.mode=always",
			"-Dspring.sql.init.schema-locations=classpath:use-database.sql" };

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		Shape shape = bench.shape().withWeb(true).withWires().withMoreOptions(ROOM_FOR_ALL_CLASSES);
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
			withArchives(contestant, shape, "archived", bench);
			if (contestant.store() == StoreKind.POSTGRESQL) {
				Shape using = shape.withMoreOptions(USE_DATABASE);
				inTurns(contestant, using.withElections(0), using, "using", bench.rounds(2), bench);
				withArchives(contestant, using, "archived-using", bench);
			}
		});
	}

	/**
	 * Starts an application without elections and one with them, in turns.
	 */
	private static void inTurns(Contestant contestant, Shape bare, Shape electing, String measure, int rounds,
			Bench bench) throws Exception {
		try (Cluster without = new Cluster(contestant, bare); Cluster with = new Cluster(contestant, electing)) {
			for (int round = 0; round < rounds; round++) {
				time(without, false, measure + "-bare", bench);
				time(with, false, measure + "-elections", bench);
			}
		}
	}

	/**
	 * The same with an archive of classes for each of the two.
	 */
	private static void withArchives(Contestant contestant, Shape shape, String measure, Bench bench) throws Exception {
		Shape bare = shape.withElections(0);
		Path bareArchive = archive(contestant, bare, bench);
		Path archive = archive(contestant, shape, bench);
		try {
			inTurns(contestant, bare.withMoreOptions("-XX:SharedArchiveFile=" + bareArchive),
					shape.withMoreOptions("-XX:SharedArchiveFile=" + archive), measure, bench.rounds(1), bench);
		}
		finally {
			Files.deleteIfExists(bareArchive);
			Files.deleteIfExists(archive);
		}
	}

	/**
	 * Lets a node run once, and archives what it has loaded.
	 */
	private static Path archive(Contestant contestant, Shape shape, Bench bench) throws Exception {
		Path archive = bench.logs().toAbsolutePath().resolve("%s-%d.jsa".formatted(contestant.id(), shape.elections()));
		try (Cluster cluster = new Cluster(contestant, shape.withMoreOptions("-XX:ArchiveClassesAtExit=" + archive))) {
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
