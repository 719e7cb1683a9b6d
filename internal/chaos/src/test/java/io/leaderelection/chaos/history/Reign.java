package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One leadership as its own process saw it: from the first time that it said yes to the
 * last time, with no other answer between.
 *
 * @param process who led
 * @param token its token; zero if it never showed
 * @param earliest the last moment before at which it may not yet have led
 * @param first the first yes
 * @param last the last yes
 * @param latest the first moment after at which it cannot have led any more
 */
record Reign(String process, long token, long earliest, Sample first, Sample last, long latest) {

	/** All leaderships of a run, in the order of their beginning. */
	static List<Reign> of(History history) {
		List<Reign> reigns = new ArrayList<>();
		for (Life life : history.lives()) {
			reigns.addAll(of(life, history.answersOf(life.process())));
		}
		reigns.sort(Comparator.comparingLong((reign) -> reign.first.before()));
		return reigns;
	}

	private static List<Reign> of(Life life, List<Answers> answers) {
		List<Reign> reigns = new ArrayList<>();
		Reign present = null;
		long before = life.started();
		for (Answers some : answers) {
			if (present != null && !(some.leader() && present.isContinuedBy(some))) {
				reigns.add(present.endingBy(some.first().after()));
				present = null;
			}
			if (some.leader()) {
				present = (present != null) ? present.continuedBy(some)
						: new Reign(life.process(), some.token(), before, some.first(), some.last(), Life.NEVER);
			}
			before = some.last().before();
		}
		if (present != null) {
			reigns.add(present.endingBy(life.ended()));
		}
		return reigns;
	}

	private boolean isContinuedBy(Answers more) {
		return this.token == more.token() || this.token == 0 || more.token() == 0;
	}

	private Reign continuedBy(Answers more) {
		return new Reign(this.process, Math.max(this.token, more.token()), this.earliest, this.first, more.last(),
				this.latest);
	}

	private Reign endingBy(long moment) {
		return new Reign(this.process, this.token, this.earliest, this.first, this.last, moment);
	}

	/** Whether it came right after another of the same process, with no other answer. */
	boolean isNextTo(@Nullable Reign former) {
		return former != null && former.process.equals(this.process) && former.until() == this.earliest;
	}

	/** From here on it has led for certain. */
	long since() {
		return this.first.after();
	}

	/** Until here it has led for certain. */
	long until() {
		return this.last.before();
	}

	/**
	 * Whether there was an instant, whichever each sample was really taken at, in which
	 * both led.
	 */
	boolean overlaps(Reign other) {
		return since() <= other.until() && other.since() <= until();
	}

	@Override
	public String toString() {
		return "%s with token %d".formatted(this.process, this.token);
	}

}
