package io.leaderelection.benchmarks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What it takes to ask whether this node leads, on the leader.
 */
final class Asking implements Experiment {

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		bench.each(contestants, 1, (contestant) -> {
			// fabric8 has nothing to ask, and the flag of this benchmark is not its doing
			if (contestant != Contestant.FABRIC8) {
				measure(contestant, bench);
			}
		});
	}

	private static void measure(Contestant contestant, Bench bench) throws Exception {
		try (Cluster cluster = new Cluster(contestant, bench.shape())) {
			List<String> arguments = new ArrayList<>(List.of(contestant.configuration()));
			contestant.properties("asking", bench.lease(), cluster.store().port())
				.forEach((property) -> arguments.add("--" + property));
			Set<Family> families = contestant.families(false);
			families.add(Family.JMH);
			JmhProcess.run("AskingBenchmark", families, bench, List.of("-p", "node=" + String.join(" ", arguments)),
					(benchmark, nanos) -> bench.note(contestant, "ask", nanos));
		}
	}

}
