package io.leaderelection.benchmarks.peers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ObjDoubleConsumer;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * Runs JMH in a process with a class path of its own, and says what each iteration took.
 */
public final class JmhProcess {

	private static final Duration PATIENCE = Duration.ofMinutes(10);

	private JmhProcess() {
	}

	/**
	 * Runs benchmarks.
	 * @param pattern which ones
	 * @param families the class path
	 * @param bench whose logs it writes to
	 * @param options more options of JMH
	 * @param noted is given class and method, and nanoseconds, of each iteration
	 */
	static void run(String pattern, Set<Family> families, Bench bench, List<String> options,
			ObjDoubleConsumer<String> noted) throws Exception {
		List<String> arguments = new ArrayList<>(List.of("-Djmh.ignoreLock=true", JmhProcess.class.getName(), pattern,
				"-f", "2", "-wi", "3", "-w", "1", "-i", "5", "-r", "1", "-foe", "true"));
		arguments.addAll(options);
		String name = "jmh-" + Integer.toHexString(arguments.hashCode());
		try (NodeProcess process = NodeProcess.start(name, families, bench.logs(), arguments)) {
			process.expect("DONE", PATIENCE);
			process.said((what) -> what.contains("Benchmark."))
				.forEach((said) -> noted.accept(said.what(), said.number() / 1000.0));
		}
	}

	/**
	 * Runs JMH and says the figures, in picoseconds.
	 * @param args JMH's own
	 * @throws Exception if a benchmark fails
	 */
	public static void main(String[] args) throws Exception {
		for (RunResult result : new Runner(new CommandLineOptions(args)).run()) {
			String name = name(result.getParams());
			for (BenchmarkResult fork : result.getBenchmarkResults()) {
				for (IterationResult iteration : fork.getIterationResults()) {
					double nanos = iteration.getPrimaryResult().getScore();
					System.out.println("@ %s %d 0".formatted(name, Math.round(nanos * 1000)));
				}
			}
		}
		System.out.println("@ DONE 0 0");
	}

	private static String name(BenchmarkParams params) {
		String[] parts = params.getBenchmark().split("\\.");
		return parts[parts.length - 2] + "." + parts[parts.length - 1];
	}

}
