package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.benchmarks.Waiting;

/**
 * The store loses what elections have written (FLUSHALL, DELETE) while somebody leads.
 * For how long are there two leaders, and is the next leader's token higher?
 */
final class DataLoss implements Experiment {

	private static final Duration TO_ANSWER = Duration.ofSeconds(10);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		int rounds = bench.rounds(6);
		try (Clusters clusters = new Clusters(bench, contestants, bench.shape().withSamples())) {
			clusters.fill();
			for (int round = 1; round <= rounds; round++) {
				clusters.settle();
				Map<Cluster, Long> tokens = new HashMap<>();
				long lost = NodeProcess.now();
				clusters.inTurn((cluster) -> {
					token(cluster.leader()).ifPresent((token) -> tokens.put(cluster, token));
					cluster.store().lose();
				});
				Waiting.pass(bench.lease().plusSeconds(2));
				clusters.inTurn((cluster) -> bench.note(cluster.contestant(), "overlap", cluster.overlapMillis(lost)));
				if (round == rounds) {
					clusters.inTurn((cluster) -> {
						if (tokens.containsKey(cluster)) {
							noteToken(cluster, tokens.get(cluster), lost, bench);
						}
					});
				}
			}
		}
	}

	/**
	 * Whoever has been elected since the loss has to have a higher token, and so has the
	 * one after.
	 */
	private static void noteToken(Cluster cluster, long before, long lost, Bench bench) throws InterruptedException {
		Duration patience = bench.shape().patience();
		boolean rose = cluster.awaitLeaderAfter(lost, Duration.ZERO)
			.map((election) -> token(election.node()).filter((token) -> token > before).isPresent())
			.orElse(true);
		long stopped = NodeProcess.now();
		cluster.leader().terminate();
		rose &= cluster.awaitLeaderAfter(stopped, patience)
			.flatMap((election) -> token(election.node()))
			.filter((token) -> token > before)
			.isPresent();
		bench.note(cluster.contestant(), "token-rose", rose ? 1 : 0);
	}

	private static Optional<Long> token(NodeProcess node) {
		try {
			return node.ask("TOKEN", TO_ANSWER).filter((token) -> token >= 0);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
	}

}
