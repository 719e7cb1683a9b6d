package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds what must not have happened in a run.
 */
public final class Checker {

	private final History history;

	private final Bounds bounds;

	private final List<Reign> reigns;

	private final List<Gap> gaps;

	public Checker(History history, Bounds bounds) {
		this.history = history;
		this.bounds = bounds;
		this.reigns = Reign.of(history);
		this.gaps = Gap.of(history, this.reigns, bounds);
	}

	/**
	 * All that must not have happened.
	 * @return what did, the earliest first; empty if all is well
	 */
	public List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		violations.addAll(new LeadershipCheck(this.reigns).violations());
		violations.addAll(new RegisterCheck(this.history.writes(), this.reigns).violations());
		violations.addAll(new GapCheck(this.gaps).violations());
		violations.addAll(new RecoveryCheck(this.history, this.reigns).violations());
		violations.addAll(new LeakCheck(this.history, this.bounds).violations());
		violations.addAll(new SightCheck(this.history, this.reigns, this.bounds).violations());
		violations.sort(Comparator.comparingLong(Violation::at));
		return violations;
	}

	/**
	 * What is worth telling of a run.
	 * @return the figures
	 */
	public Figures figures() {
		return Figures.of(this.history, this.reigns, this.gaps, violations(), this.bounds);
	}

}
