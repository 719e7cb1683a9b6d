package io.leaderelection.benchmarks.peers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

import io.leaderelection.benchmarks.peers.Results.Figure;
import io.leaderelection.benchmarks.peers.report.Page;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Runs experiments with this project and its peers, and writes a page about them. Each
 * experiment keeps its figures, so that a run may be split, and gone on with.
 */
public final class Peers {

	private Peers() {
	}

	/**
	 * Runs what the arguments say, and ends with status 1 if any contestant failed.
	 * @param args see {@code --help}
	 * @throws Exception if an experiment fails
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		if (List.of(args).contains("--help")) {
			System.out.println(Options.USAGE);
			return;
		}
		LoggingSystem.get(Peers.class.getClassLoader()).setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.ERROR);
		Logger.getLogger("").setLevel(Level.WARNING);
		boolean complete = run(Options.parse(args));
		// clients and servers of some contestants leave threads behind
		System.exit(complete ? 0 : 1);
	}

	static boolean run(Options options) throws Exception {
		Results results = new Results(options.docs().resolve("benchmarks-peers"));
		boolean complete = true;
		for (ExperimentKind kind : options.experiments()) {
			complete &= run(kind, results, options);
		}
		new Page(results, options.docs(), Machine.describe()).write();
		return complete;
	}

	private static boolean run(ExperimentKind kind, Results results, Options options) throws Exception {
		List<Contestant> contestants = new ArrayList<>(kind.contestants());
		if (contestants.isEmpty()) {
			System.out.println(
					"%s: left out, since this machine has not what it takes; see CONTRIBUTING.md".formatted(kind.id()));
		}
		contestants.retainAll(options.contestants());
		if (options.resume()) {
			contestants.removeAll(measured(kind, results));
		}
		if (contestants.isEmpty()) {
			return true;
		}
		System.out.println("%s: %s; logs in %s".formatted(kind.id(),
				contestants.stream().map(Contestant::id).collect(Collectors.joining(", ")), options.logs()));
		long began = System.nanoTime();
		Bench bench = new Bench(kind, options);
		kind.experiment().run(contestants, bench);
		contestants.removeAll(bench.failed());
		if (!contestants.isEmpty()) {
			results.replace(kind.id(), contestants, bench.figures());
		}
		System.out
			.println("%s: done in %d s".formatted(kind.id(), Duration.ofNanos(System.nanoTime() - began).toSeconds()));
		return bench.failed().isEmpty();
	}

	private static Set<Contestant> measured(ExperimentKind kind, Results results) throws IOException {
		return results.read(kind.id()).stream().map(Figure::contestant).collect(Collectors.toCollection(HashSet::new));
	}

}
