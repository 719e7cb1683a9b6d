package io.leaderelection.benchmarks.peers;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * What a guard adds to a call on the leader: ours beside ShedLock's, which has a lock in
 * its store for each call.
 */
final class Guarding implements Experiment {

	private static final Map<String, Contestant> BENCHMARKS = Map.of("LeaderOnlyBenchmark.guardedOnTheLeader",
			Contestant.OURS_REDIS, "ShedLockBenchmark.redis", Contestant.SHEDLOCK_REDIS, "ShedLockBenchmark.postgres",
			Contestant.SHEDLOCK_JDBC);

	@Override
	public void run(List<Contestant> contestants, Bench bench) throws Exception {
		JmhProcess.run("LeaderOnlyBenchmark.(emptyProxy|guardedOnTheLeader)|ShedLockBenchmark",
				EnumSet.allOf(Family.class), bench, List.of(), (benchmark, nanos) -> {
					if (BENCHMARKS.containsKey(benchmark)) {
						bench.note(BENCHMARKS.get(benchmark), "guarded", nanos);
					}
					else {
						bench.note(Contestant.OURS_REDIS, "empty-proxy", nanos);
					}
				});
	}

}
