package io.leaderelection.benchmarks.peers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.leaderelection.benchmarks.peers.Cluster.Shape;
import io.leaderelection.benchmarks.peers.Results.Figure;

/**
 * Where one experiment is made: its settings, and what it has noted so far.
 */
final class Bench {

	private final Options options;

	private final Path logs;

	private final List<Figure> figures = new ArrayList<>();

	private final Set<Contestant> failed = EnumSet.noneOf(Contestant.class);

	Bench(ExperimentKind experiment, Options options) {
		this.options = options;
		this.logs = options.logs().resolve(experiment.id());
	}

	Duration lease() {
		return this.options.lease();
	}

	/** A part of the rounds: less for what takes long and varies little. */
	int rounds(int divisor) {
		return Math.max(1, this.options.rounds() / divisor);
	}

	/** The sizes to try, of those that the experiment has. */
	List<Integer> sizes(Integer... sizes) {
		return List.of(sizes).stream().filter((size) -> size <= this.options.mostElections()).toList();
	}

	Path logs() {
		return this.logs;
	}

	/** Three nodes that elect one leader. */
	Shape shape() {
		return new Shape(3, 1, lease(), false, false, false, this.logs);
	}

	synchronized void note(Contestant contestant, String measure, double value) {
		note(contestant, measure, value, false);
	}

	/** Notes that a value is beyond the given one, by how much nobody waited to see. */
	synchronized void noteBeyond(Contestant contestant, String measure, double value) {
		note(contestant, measure, value, true);
	}

	private void note(Contestant contestant, String measure, double value, boolean beyond) {
		double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
		this.figures
			.add(new Figure(contestant, measure, value, beyond, lease(), Math.round(load * 10) / 10.0, Instant.now()));
	}

	synchronized void fail(Contestant contestant, Exception failure) {
		System.err.println("%s failed: %s".formatted(contestant.id(), failure));
		this.failed.add(contestant);
	}

	synchronized List<Figure> figures() {
		return this.figures.stream().filter((figure) -> !this.failed.contains(figure.contestant())).toList();
	}

	synchronized Set<Contestant> failed() {
		return EnumSet.copyOf(this.failed);
	}

	/**
	 * Does something with every contestant.
	 * @param contestants the contestants
	 * @param atOnce how many at once
	 * @param step what to do; one that throws has failed
	 */
	void each(List<Contestant> contestants, int atOnce, Step<Contestant> step) throws InterruptedException {
		each(contestants, atOnce, step, (contestant) -> contestant);
	}

	<T> void each(List<T> all, int atOnce, Step<T> step, Function<T, Contestant> whose) throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(atOnce);
		for (T one : all) {
			threads.execute(() -> {
				try {
					step.take(one);
				}
				catch (Exception ex) {
					fail(whose.apply(one), ex);
				}
			});
		}
		threads.shutdown();
		threads.awaitTermination(1, TimeUnit.HOURS);
	}

	/**
	 * One step of an experiment.
	 *
	 * @param <T> with what
	 */
	interface Step<T> {

		void take(T with) throws Exception;

	}

}
