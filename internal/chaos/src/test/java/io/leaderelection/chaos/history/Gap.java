package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * A time without a leader, and what explains it.
 *
 * @param from when the last leader last said yes
 * @param to when the next leader first said yes
 * @param former the process that led before; empty if none did
 * @param because the faults that explain it, first what began it; none if it cannot be
 * explained
 * @param deadline until when they explain it
 */
record Gap(long from, long to, String former, List<Fault> because, long deadline) {

	/** All times of a run without a leader, until the last leadership. */
	static List<Gap> of(History history, List<Reign> reigns, Bounds bounds) {
		List<Fault> faults = new ArrayList<>(history.faults());
		faults.addAll(Stalls.of(history, bounds.lease() / 4));
		faults.sort(Comparator.comparingLong(Fault::begun));
		List<Gap> gaps = new ArrayList<>();
		Reign former = null;
		for (Reign reign : reigns) {
			long covered = (former != null) ? former.last().after() : history.begun();
			if (reign.first().before() > covered && !reign.isNextTo(former)) {
				gaps.add(explained(covered, reign.first().before(), former, faults, bounds));
			}
			former = (former == null || reign.last().after() > covered) ? reign : former;
		}
		return gaps;
	}

	/**
	 * What cost the former leader its leadership explains the beginning: what was done to
	 * it last, or else to the store. What came to it before a new leader had to be there,
	 * whomever it befell, explains the rest.
	 */
	private static Gap explained(long from, long to, @Nullable Reign before, List<Fault> faults, Bounds bounds) {
		String former = (before != null) ? before.process() : "";
		long lost = (before != null) ? before.latest() : from;
		Optional<Fault> cause = faults.stream()
			.filter((fault) -> fault.mayUnseat(former) && fault.begun() <= lost && bounds.reach(fault) >= from)
			.max(Comparator.comparing((Fault fault) -> fault.concerns(former)).thenComparing(Fault::begun));
		if (cause.isEmpty()) {
			return new Gap(from, to, former, List.of(), from);
		}
		List<Fault> because = new ArrayList<>(List.of(cause.get()));
		long deadline = bounds.reach(cause.get());
		for (Fault fault : faults) {
			if (fault.begun() <= Math.min(deadline, to) && bounds.reach(fault) > deadline && fault.mayProlong(former)) {
				because.add(fault);
				deadline = bounds.reach(fault);
			}
		}
		return new Gap(from, to, former, because, deadline);
	}

	long length() {
		return this.to - this.from;
	}

	String reasons() {
		return this.because.stream()
			.map((fault) -> fault.kind().label())
			.distinct()
			.collect(Collectors.joining(", then "));
	}

}
