package io.leaderelection.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.leaderelection.chaos.history.FaultKind;

/**
 * Faults in the order of their time, all decided by a seed. Every kind has its turn
 * before the next round begins; most faults befall the leader, most last longer than a
 * lease, and some begin before the one before has ended.
 */
final class Schedule {

	private static final List<FaultKind> OF_NODES = List.of(FaultKind.KILL, FaultKind.TERMINATE, FaultKind.STOP,
			FaultKind.STOP, FaultKind.PAUSED_WRITE, FaultKind.PAUSED_WRITE, FaultKind.RESET, FaultKind.HALF_OPEN,
			FaultKind.HALF_OPEN, FaultKind.DELAY);

	private final Random random;

	private final int nodes;

	private final long leaseMillis;

	private Schedule(long seed, int nodes, Duration lease) {
		this.random = new Random(seed);
		this.nodes = nodes;
		this.leaseMillis = lease.toMillis();
	}

	/**
	 * Plans a run.
	 * @param seed decides everything
	 * @param duration how long to go on
	 * @param nodes how many nodes there are
	 * @param lease how long a lease lasts
	 * @param others what can be done beside what befalls nodes
	 * @return the faults, the first one first
	 */
	static List<PlannedFault> of(long seed, Duration duration, int nodes, Duration lease,
			Collection<FaultKind> others) {
		return new Schedule(seed, nodes, lease).plan(duration, others.stream().sorted().toList());
	}

	private List<PlannedFault> plan(Duration duration, List<FaultKind> others) {
		List<PlannedFault> planned = new ArrayList<>();
		List<FaultKind> round = new ArrayList<>();
		long millis = this.leaseMillis;
		while (true) {
			if (round.isEmpty()) {
				round.addAll(OF_NODES);
				round.addAll(others);
				Collections.shuffle(round, this.random);
			}
			FaultKind kind = round.remove(round.size() - 1);
			long length = length(kind);
			if (millis + length > duration.toMillis()) {
				return planned;
			}
			planned.add(new PlannedFault(Duration.ofMillis(millis), kind,
					this.random.nextInt(10) < 8 || kind == FaultKind.PAUSED_WRITE, this.random.nextInt(this.nodes),
					Duration.ofMillis(length), this.random.nextDouble()));
			boolean overlapping = this.random.nextInt(4) == 0;
			millis += overlapping ? between(0, length) : length + between(this.leaseMillis / 4, this.leaseMillis);
		}
	}

	private long length(FaultKind kind) {
		return switch (kind) {
			// until the node is started again
			case KILL, TERMINATE -> between(0, this.leaseMillis);
			case RESET, DATA_LOSS, PROMOTION -> 0;
			case CLOCK_JUMP -> this.leaseMillis;
			case STORE_RESTART, LEADER_CHANGE -> between(0, this.leaseMillis);
			default -> (this.random.nextInt(5) == 0) ? between(this.leaseMillis / 5, this.leaseMillis)
					: between(this.leaseMillis * 6 / 5, this.leaseMillis * 2);
		};
	}

	private long between(long atLeast, long atMost) {
		return this.random.nextLong(atLeast, atMost + 1);
	}

}
