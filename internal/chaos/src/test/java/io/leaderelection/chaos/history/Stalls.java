package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Times in which a process was not seen to do anything, though nobody had stopped it.
 */
final class Stalls {

	private Stalls() {
	}

	/** Those of at least a length, as faults that happened by themselves. */
	static List<Fault> of(History history, long atLeast) {
		List<Fault> stalls = new ArrayList<>();
		for (Life life : history.lives()) {
			long seen = Life.NEVER;
			for (Answers some : history.answersOf(life.process())) {
				add(stalls, history, life.process(), seen, some.first().after(), atLeast);
				seen = some.last().before();
			}
			add(stalls, history, life.process(), seen, life.ended(), atLeast);
		}
		return stalls;
	}

	private static void add(List<Fault> stalls, History history, String process, long from, long to, long atLeast) {
		for (Span span : new Span(from, to).without(history.stopsOf(process, Fault::begun))) {
			if (span.length() >= atLeast) {
				stalls.add(new Fault(FaultKind.STALL, process, span.from(), span.from(), span.to(),
						"%d ms".formatted(span.length() / 1_000_000)));
			}
		}
	}

}
