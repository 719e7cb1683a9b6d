package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * Many runs, on all processors.
 */
final class Simulations {

	private Simulations() {
	}

	/**
	 * Runs seeds until one breaks a promise.
	 * @param scenario what is simulated
	 * @param firstSeed the first run
	 * @param seeds how many runs
	 * @return what happened in all of them
	 * @throws InvariantViolation if a promise was broken, with the trace of a replay
	 */
	public static Summary run(Scenario scenario, long firstSeed, long seeds) {
		AtomicReference<Summary> summary = new AtomicReference<>(Summary.NOTHING);
		Optional<InvariantViolation> violation = search(scenario, firstSeed, seeds, summary);
		if (violation.isPresent()) {
			Simulation.replay(scenario, violation.get().seed());
			throw violation.get();
		}
		return summary.get();
	}

	/**
	 * Looks for a seed that breaks a promise.
	 * @param scenario what is simulated
	 * @param firstSeed the first run
	 * @param seeds how many runs at the most
	 * @return the violation of the first seed that has one
	 */
	public static Optional<InvariantViolation> search(Scenario scenario, long firstSeed, long seeds) {
		return search(scenario, firstSeed, seeds, new AtomicReference<>(Summary.NOTHING));
	}

	private static Optional<InvariantViolation> search(Scenario scenario, long firstSeed, long seeds,
			AtomicReference<Summary> summary) {
		AtomicLong next = new AtomicLong(firstSeed);
		AtomicReference<InvariantViolation> found = new AtomicReference<>();
		IntStream.range(0, Runtime.getRuntime().availableProcessors()).parallel().forEach((worker) -> {
			Summary own = Summary.NOTHING;
			for (long seed = next.getAndIncrement(); seed < firstSeed + seeds
					&& found.get() == null; seed = next.getAndIncrement()) {
				try {
					own = own.plus(Simulation.run(scenario, seed));
				}
				catch (InvariantViolation violation) {
					// the same violation in every search: seeds below it may still be
					// running
					found.accumulateAndGet(violation, Simulations::first);
				}
			}
			Summary done = own;
			summary.updateAndGet((others) -> others.plus(done));
		});
		return Optional.ofNullable(found.get());
	}

	private static InvariantViolation first(@Nullable InvariantViolation one, InvariantViolation other) {
		return (one != null && one.seed() < other.seed()) ? one : other;
	}

	/**
	 * What happened in many runs.
	 *
	 * @param runs how many runs
	 * @param events how many events were simulated
	 * @param faults how many faults were injected
	 * @param gains how many leaderships began
	 * @param handovers how many hand-overs and crashes were timed in calm weather
	 * @param longestHandover the longest time from a lease given up to the next leader
	 * @param longestTakeover the longest time from the end of a crashed leader's lease to
	 * the next leader
	 * @param vacancies how many reported vacancies were compared with the truth
	 */
	public record Summary(long runs, long events, long faults, long gains, long handovers, Duration longestHandover,
			Duration longestTakeover, long vacancies) {

		private static final Summary NOTHING = new Summary(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, 0);

		private Summary plus(Outcome outcome) {
			return plus(new Summary(1, outcome.events(), outcome.faults(), outcome.gains(), outcome.handovers(),
					outcome.longestHandover(), outcome.longestTakeover(), outcome.vacancies()));
		}

		private Summary plus(Summary other) {
			return new Summary(this.runs + other.runs, this.events + other.events, this.faults + other.faults,
					this.gains + other.gains, this.handovers + other.handovers,
					longer(this.longestHandover, other.longestHandover),
					longer(this.longestTakeover, other.longestTakeover), this.vacancies + other.vacancies);
		}

		private static Duration longer(Duration one, Duration other) {
			return (one.compareTo(other) > 0) ? one : other;
		}

	}

}
