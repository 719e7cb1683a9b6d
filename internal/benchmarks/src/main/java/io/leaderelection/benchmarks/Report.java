package io.leaderelection.benchmarks;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of {@link ManyElections} as a table in Markdown, beside what they should
 * be.
 */
final class Report {

	private static final int MOST_THREADS_PER_NODE = 4;

	private static final double LEAST_ON_TIME = 0.999;

	private static final long MOST_HEAP = 100 << 20;

	private final int elections;

	private final Duration time;

	private final List<Figures> runs;

	private final List<Row> rows = List.of(
			new Row("led at the end, none lost, none led twice", "all", (run) -> "%,d".formatted(run.led()),
					Figures::allLed),
			new Row("threads, at most", "≤ %d per node".formatted(MOST_THREADS_PER_NODE),
					(run) -> String.valueOf(run.mostThreads()),
					(run) -> run.mostThreads() <= MOST_THREADS_PER_NODE * run.nodes()),
			new Row("threads, at the end", "", (run) -> String.valueOf(run.threads())),
			new Row("renewals timed", "", (run) -> "%,d".formatted(run.timings().lateness().length)),
			new Row("renewals on time (5 % of the lease)", "≥ 99.9 %", (run) -> "%.3f %%".formatted(100 * run.onTime()),
					(run) -> run.onTime() >= LEAST_ON_TIME),
			new Row("late by, median", "", (run) -> millis(run.timings().percentile(50))),
			new Row("late by, 99.9 %", "", (run) -> millis(run.timings().percentile(99.9))),
			new Row("late by, at most", "", (run) -> millis(run.timings().percentile(100))),
			new Row("heap in use after collection", "< 100 MiB", (run) -> mebibytes(run.heap()),
					(run) -> run.heap() < MOST_HEAP),
			new Row("of that, for elections and store", "", (run) -> mebibytes(run.heap() - run.heapBefore())),
			new Row("leader's calls to the store per renew interval", "",
					(run) -> "%.2f".formatted(run.perRenewInterval(run.timings().renewCalls()))),
			new Row("follower's calls to the store per renew interval", "",
					(run) -> (run.nodes() > 1) ? "%.2f".formatted(run.perRenewInterval(run.looks())) : ""),
			new Row("longest call to the store", "", (run) -> millis(run.timings().longestCall())),
			new Row("processor time", "", (run) -> "%.1f %% of a core".formatted(100 * run.cores())),
			new Row("start until all are led", "", (run) -> millis(run.toLead())),
			new Row("clean stop until all are given up, or led by the other", "", (run) -> millis(run.toHandOver())));

	Report(int elections, Duration time, List<Figures> runs) {
		this.elections = elections;
		this.time = time;
		this.runs = runs;
	}

	boolean meetsTargets() {
		return this.rows.stream().allMatch((row) -> this.runs.stream().allMatch(row.met));
	}

	String table() {
		String heading = this.runs.stream()
			.map((run) -> (run.nodes() == 1) ? "one node" : run.nodes() + " nodes")
			.collect(Collectors.joining(" | ", "| | ",
					" | target |\n|---|" + "---|".repeat(this.runs.size()) + "---|\n"));
		return "%,d elections, %d s, lease %d s; %s%n%n%s%s".formatted(this.elections, this.time.toSeconds(),
				this.runs.get(0).settings().leaseDuration().toSeconds(), machine(), heading,
				this.rows.stream().map(this::line).collect(Collectors.joining("\n")));
	}

	private String line(Row row) {
		Stream<String> cells = this.runs.stream()
			.map((run) -> row.figure.apply(run) + (row.met.test(run) ? "" : " **(missed)**"));
		return "| %s | %s | %s |".formatted(row.name, cells.collect(Collectors.joining(" | ")), row.target);
	}

	private static String machine() {
		Runtime runtime = Runtime.getRuntime();
		return "JDK %s, %d processors, load %.2f, heap at most %s, %s".formatted(Runtime.version(),
				runtime.availableProcessors(), ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
				mebibytes(runtime.maxMemory()),
				ManagementFactory.getGarbageCollectorMXBeans()
					.stream()
					.map(GarbageCollectorMXBean::getName)
					.collect(Collectors.joining(", ")));
	}

	private static String millis(Duration duration) {
		return "%.1f ms".formatted(duration.toNanos() / 1e6);
	}

	private static String mebibytes(long bytes) {
		return "%.1f MiB".formatted(bytes / (double) (1 << 20));
	}

	/**
	 * One figure.
	 *
	 * @param name what it is
	 * @param target what it should be, if anything
	 * @param figure takes it from a run
	 * @param met whether it is as it should be
	 */
	private record Row(String name, String target, Function<Figures, String> figure, Predicate<Figures> met) {

		Row(String name, String target, Function<Figures, String> figure) {
			this(name, target, figure, (run) -> true);
		}

	}

}
