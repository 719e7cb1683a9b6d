package io.leaderelection.chaos.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A history for people: one line for each thing that happened, in the order of time.
 */
public final class Excerpt {

	private static final double NANOS_PER_SECOND = 1e9;

	private final long begun;

	private final List<Line> lines = new ArrayList<>();

	public Excerpt(History history) {
		this.begun = history.begun();
		history.lives().forEach(this::add);
		history.answers().forEach(this::add);
		history.faults().forEach(this::add);
		for (Change change : history.changes()) {
			add(change.at(), change.process(),
					change.gained() ? "is told that it leads with token " + change.token()
							: "is told that it has lost the leadership with token %d: %s".formatted(change.token(),
									change.reason()));
		}
		for (Attempt attempt : history.attempts()) {
			add(attempt.at(), attempt.process(),
					"write with token %d as %s: %s".formatted(attempt.token(), attempt.kind(), attempt.outcome()));
		}
		add(history.closing(), "run", "no more faults; the leaders leave");
		add(history.ended(), "run", "the end");
		this.lines.sort(Comparator.comparingLong(Line::at));
	}

	private void add(Life life) {
		add(life.started(), life.process(), "is started");
		add(life.ready(), life.process(), "stands for the election");
		add(life.ended(), life.process(), "is gone");
	}

	private void add(Answers some) {
		add(some.first().before(), some.process(),
				"%s, from %s..%s to %s..%s, %d times, at most %.3f ms apart".formatted(
						some.leader() ? "yes, I lead with token " + some.token() : "no", seconds(some.first().before()),
						seconds(some.first().after()), seconds(some.last().before()), seconds(some.last().after()),
						some.count(), some.widest() / 1e6));
	}

	private void add(Fault fault) {
		add(fault.begun(), "run", "%s, in force at %s".formatted(fault, seconds(fault.inForce())));
		add(fault.ended(), "run", "the end of %s, begun at %s".formatted(fault, seconds(fault.begun())));
	}

	private void add(long at, String who, String what) {
		if (at != Life.NEVER) {
			this.lines.add(new Line(at, "%s %-8s %s".formatted(seconds(at), who, what)));
		}
	}

	private String seconds(long moment) {
		return "%.6f".formatted((moment - this.begun) / NANOS_PER_SECOND);
	}

	/**
	 * Everything.
	 * @return the lines
	 */
	public List<String> all() {
		return this.lines.stream().map(Line::text).toList();
	}

	/**
	 * What happened around a moment.
	 * @param moment the moment
	 * @param distance how long before and after it
	 * @return the lines
	 */
	public String around(long moment, Duration distance) {
		return this.lines.stream()
			.filter((line) -> Math.abs(line.at() - moment) <= distance.toNanos())
			.map(Line::text)
			.collect(Collectors.joining("\n"));
	}

	private record Line(long at, String text) {

	}

}
