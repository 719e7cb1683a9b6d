package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What sampling may have missed: how long two processes may have led at once, at most,
 * around each change of leaders, if all that was not seen is taken for the worst.
 */
final class HandOvers {

	private final History history;

	private final List<Reign> reigns;

	HandOvers(History history, List<Reign> reigns) {
		this.history = history;
		this.reigns = reigns;
	}

	/**
	 * For each change from one process to another, in nanoseconds, the shortest first.
	 */
	LongStream unseen() {
		List<Long> unseen = new ArrayList<>();
		for (int i = 1; i < this.reigns.size(); i++) {
			Reign former = this.reigns.get(i - 1);
			Reign next = this.reigns.get(i);
			if (!former.process().equals(next.process())) {
				unseen.add(unseen(former, next));
			}
		}
		return unseen.stream().mapToLong(Long::longValue).sorted();
	}

	/** Who is known to stand still answers nobody. */
	private long unseen(Reign former, Reign next) {
		Span both = new Span(former.earliest(), former.latest()).and(new Span(next.earliest(), next.latest()));
		List<Span> still = new ArrayList<>(this.history.stopsOf(former.process(), Fault::inForce));
		still.addAll(this.history.stopsOf(next.process(), Fault::inForce));
		return both.without(still).stream().mapToLong(Span::length).max().orElse(0);
	}

}
