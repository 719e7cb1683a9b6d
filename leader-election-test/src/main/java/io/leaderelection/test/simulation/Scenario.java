package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * What is simulated. Chance, from the seed, decides the rest: leases of 3 to 96 seconds,
 * one to three elections, clocks, faults and their times.
 *
 * @param nodes how many nodes stand
 * @param duration how long a run lasts in virtual time
 * @param observed whether the store has no clock, so that leases end by observed time
 * @param tampering a rule to break on purpose, made anew for every run
 */
record Scenario(int nodes, Duration duration, boolean observed, Supplier<Tampering> tampering) {

	/**
	 * Five nodes for ten minutes.
	 * @return the scenario
	 */
	public static Scenario standard() {
		return new Scenario(5, Duration.ofMinutes(10), false, () -> new Tampering() {
		});
	}

	/**
	 * Four nodes for four minutes, on a store without a clock. Chance decides whether one
	 * heartbeat renews all leases of a node.
	 * @return the scenario
	 */
	public static Scenario onObservedTime() {
		return new Scenario(4, Duration.ofMinutes(4), true, () -> new Tampering() {
		});
	}

	/**
	 * The same with a broken rule.
	 * @param tampering breaks the rule
	 * @return the scenario
	 */
	public Scenario tamperedWith(Supplier<Tampering> tampering) {
		return new Scenario(this.nodes, this.duration, this.observed, tampering);
	}

}
