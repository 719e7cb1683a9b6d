package io.leaderelection.benchmarks.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.boot.convert.DurationStyle;

/**
 * What to run.
 *
 * @param experiments which experiments
 * @param contestants with whom
 * @param lease of everybody
 * @param rounds how often a leader is ended; other experiments have a part of it
 * @param mostElections the largest number of elections to try
 * @param resume whether contestants that have figures of an experiment are left out of it
 * @param docs where the page, its pictures and the figures go
 * @param logs where the output of the processes goes
 */
record Options(List<ExperimentKind> experiments, List<Contestant> contestants, Duration lease, int rounds,
		int mostElections, boolean resume, Path docs, Path logs) {

	static final String USAGE = """
			java -jar internal/benchmarks/target/benchmarks.jar peers [OPTION...]

			  --only A,B          these experiments, 'none' to write the page anew and nothing else
			                      (%s)
			  --contestant A,B    these contestants
			                      (%s)
			  --lease 10s         how long leases, locks and sessions last
			  --rounds 20         how often a leader is ended; less often in experiments that take long
			  --elections 10000   the most elections to try
			  --resume            leave out who has figures already
			  --docs docs         where the page, its pictures and the figures go
			""".formatted(String.join(", ", Stream.of(ExperimentKind.values()).map(ExperimentKind::id).toList()),
			String.join(", ", Stream.of(Contestant.values()).map(Contestant::id).toList()));

	static Options parse(String... args) {
		Options options = new Options(List.of(ExperimentKind.values()), List.of(Contestant.values()),
				Duration.ofSeconds(10), 20, 10_000, false, Path.of("docs"),
				Path.of(System.getProperty("java.io.tmpdir"),
						"leader-election-peers-" + ProcessHandle.current().pid()));
		for (int i = 0; i < args.length; i++) {
			if (args[i].equals("--resume")) {
				options = options.with(options.experiments, options.contestants, options.lease, options.rounds,
						options.mostElections, true, options.docs);
			}
			else if (i + 1 == args.length) {
				throw new IllegalArgumentException("'%s' is no option, or has no value".formatted(args[i]));
			}
			else {
				options = options.with(args[i], args[++i]);
			}
		}
		return options;
	}

	private Options with(String name, String value) {
		return switch (name) {
			case "--only" -> with(value.equals("none") ? List.of() : list(value, ExperimentKind::of), this.contestants,
					this.lease, this.rounds, this.mostElections, this.resume, this.docs);
			case "--contestant" -> with(this.experiments, list(value, Contestant::of), this.lease, this.rounds,
					this.mostElections, this.resume, this.docs);
			case "--lease" -> with(this.experiments, this.contestants, DurationStyle.detectAndParse(value), this.rounds,
					this.mostElections, this.resume, this.docs);
			case "--rounds" -> with(this.experiments, this.contestants, this.lease, positive(name, value),
					this.mostElections, this.resume, this.docs);
			case "--elections" -> with(this.experiments, this.contestants, this.lease, this.rounds,
					positive(name, value), this.resume, this.docs);
			case "--docs" -> with(this.experiments, this.contestants, this.lease, this.rounds, this.mostElections,
					this.resume, Path.of(value));
			default -> throw new IllegalArgumentException("There is no option '%s'".formatted(name));
		};
	}

	private Options with(List<ExperimentKind> experiments, List<Contestant> contestants, Duration lease, int rounds,
			int mostElections, boolean resume, Path docs) {
		return new Options(experiments, contestants, lease, rounds, mostElections, resume, docs, this.logs);
	}

	private static int positive(String name, String value) {
		int number = Integer.parseInt(value);
		if (number < 1) {
			throw new IllegalArgumentException("%s must be 1 at least, but is %s".formatted(name, value));
		}
		return number;
	}

	private static <T> List<T> list(String value, Function<String, T> parser) {
		return Arrays.stream(value.split(",")).map(parser).toList();
	}

}
