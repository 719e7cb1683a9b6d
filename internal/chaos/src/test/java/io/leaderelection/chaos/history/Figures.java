package io.leaderelection.chaos.history;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.chaos.history.Attempt.Outcome;

/**
 * What is worth telling of a run. Times are in nanoseconds.
 *
 * @param faults how many of each kind
 * @param processes how many processes there were
 * @param elections how many leaderships
 * @param samples how often processes were asked whether they lead
 * @param accepted how many writes the register accepted
 * @param refused how many it refused, by the position of the writer
 * @param overlaps how often two led at once
 * @param staleWrites how many writes it accepted after a newer token
 * @param longestGap the longest time without a leader
 * @param longestGapBecause what explains it
 * @param gaps the longest time without a leader by the fault that began it
 * @param unseen how long an overlap that was not seen can have been, for each hand-over,
 * the shortest first
 * @param stalls how often a process stood still for a quarter of a lease by itself
 * @param growth what the process that lived longest used in the beginning and in the end
 */
public record Figures(Map<FaultKind, Long> faults, int processes, int elections, long samples, long accepted,
		Map<Attempt.Kind, Long> refused, long overlaps, long staleWrites, long longestGap, String longestGapBecause,
		Map<FaultKind, Long> gaps, List<Long> unseen, int stalls, Optional<Growth> growth) {

	static Figures of(History history, List<Reign> reigns, List<Gap> gaps, List<Violation> violations, Bounds bounds) {
		Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
		history.faults()
			.stream()
			.filter((fault) -> fault.kind().isInjected())
			.forEach((fault) -> faults.merge(fault.kind(), 1L, Long::sum));
		Map<Attempt.Kind, Long> refused = new EnumMap<>(Attempt.Kind.class);
		history.attempts()
			.stream()
			.filter((attempt) -> attempt.outcome() == Outcome.REFUSED)
			.forEach((attempt) -> refused.merge(attempt.kind(), 1L, Long::sum));
		Map<FaultKind, Long> longest = new EnumMap<>(FaultKind.class);
		gaps.stream()
			.filter((gap) -> !gap.because().isEmpty())
			.forEach((gap) -> longest.merge(gap.because().get(0).kind(), gap.length(), Math::max));
		Optional<Gap> widest = gaps.stream()
			.filter((gap) -> !gap.former().isEmpty())
			.max(Comparator.comparingLong(Gap::length));
		return new Figures(faults, history.lives().size(), reigns.size(),
				history.answers().stream().mapToLong(Answers::count).sum(),
				history.writes().stream().mapToLong(Writes::count).sum(), refused,
				count(violations, Violation.Kind.TWO_LEADERS), count(violations, Violation.Kind.STALE_WRITE_ACCEPTED),
				widest.map(Gap::length).orElse(0L), widest.map(Gap::reasons).orElse(""), longest,
				new HandOvers(history, reigns).unseen().boxed().toList(), Stalls.of(history, bounds.lease() / 4).size(),
				new LeakCheck(history, bounds).longest());
	}

	private static long count(List<Violation> violations, Violation.Kind kind) {
		return violations.stream().filter((violation) -> violation.kind() == kind).count();
	}

	/**
	 * How many faults there were.
	 * @return the number of all kinds
	 */
	public long faultsInAll() {
		return this.faults.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * How long an overlap that was not seen can have been at a hand-over.
	 * @param part how many of the hand-overs to count, from 0 to 1
	 * @return the time that it was not longer than in that part of them
	 */
	public long unseen(double part) {
		return this.unseen.isEmpty() ? 0 : this.unseen.get((int) Math.ceil(part * (this.unseen.size() - 1)));
	}

	/**
	 * How many writes were refused.
	 * @return the number in all positions
	 */
	public long refusedInAll() {
		return this.refused.values().stream().mapToLong(Long::longValue).sum();
	}

}
