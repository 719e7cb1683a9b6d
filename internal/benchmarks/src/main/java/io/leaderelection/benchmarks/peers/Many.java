package io.leaderelection.benchmarks.peers;

import java.util.List;

import io.leaderelection.benchmarks.Waiting;

/**
 * One node alone with many elections: how many does it lead, with how many threads and
 * how much memory?
 */
final class Many implements Experiment {

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		for (int elections : bench.sizes(1, 100, 1000, 10_000)) {
			bench.each(contestants, 2, (contestant) -> measure(contestant, elections, bench));
		}
	}

	/** Who cannot even start that many has no figure. */
	private static void measure(Contestant contestant, int elections, Bench bench) throws Exception {
		Cluster.Shape shape = bench.shape().withNodes(1).withElections(elections);
		try (Cluster cluster = new Cluster(contestant, shape)) {
			NodeProcess node = cluster.start();
			if (node.await("READY", 0, shape.patience()).isEmpty()) {
				System.err.println("%s with %d elections is not ready within %s".formatted(contestant.id(), elections,
						shape.patience()));
				return;
			}
			cluster.awaitAllLed();
			// threads and memory that only the start has needed are not counted
			Waiting.pass(bench.lease());
			for (String question : List.of("LED", "THREADS", "HEAP")) {
				node.ask(question, shape.patience())
					.ifPresent((answer) -> bench.note(contestant, question.toLowerCase() + "-" + elections, answer));
			}
		}
	}

}
