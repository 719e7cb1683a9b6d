package io.leaderelection.test.simulation;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The lease durations of the elections, in nanoseconds. The first one is the shortest.
 *
 * @param durations one for each election
 */
record Leases(long... durations) {

	/**
	 * Some runs have a short lease next to leases so long that the timeout of their calls
	 * exceeds the short one.
	 */
	static Leases of(World world, int count) {
		long shortest = world.between(3_000, 12_000) * World.MILLI;
		long others = world.chance(0.5) ? shortest : world.between(5 * shortest, 8 * shortest);
		return new Leases(LongStream.range(0, count).map((i) -> (i == 0) ? shortest : others).toArray());
	}

	Stream<Long> all() {
		return LongStream.of(this.durations).boxed();
	}

	long of(int election) {
		return this.durations[election];
	}

	long shortest() {
		return this.durations[0];
	}

	long longest() {
		return this.durations[this.durations.length - 1];
	}

	boolean differ() {
		return shortest() < longest();
	}

}
