package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * Enough was seen for the other checks to mean something: every process was asked without
 * long breaks as long as it lived, somebody led, and leaders wrote.
 */
final class SightCheck {

	private final History history;

	private final List<Reign> reigns;

	private final Bounds bounds;

	SightCheck(History history, List<Reign> reigns, Bounds bounds) {
		this.history = history;
		this.reigns = reigns;
		this.bounds = bounds;
	}

	List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		if (this.reigns.isEmpty()) {
			violations.add(new Violation(Kind.BLIND, this.history.begun(), "nobody ever led"));
		}
		if (this.history.writes().isEmpty()) {
			violations.add(new Violation(Kind.BLIND, this.history.begun(), "nothing was ever written"));
		}
		this.history.lives()
			.stream()
			.filter((life) -> life.ready() != Life.NEVER && this.history.answersOf(life.process()).isEmpty())
			.forEach((life) -> violations
				.add(new Violation(Kind.BLIND, life.ready(), "%s was never asked".formatted(life.process()))));
		Stalls.of(this.history, this.bounds.lease() + this.bounds.slack())
			.forEach((stall) -> violations.add(new Violation(Kind.BLIND, stall.begun(),
					"%s was not asked for %s".formatted(stall.target(), stall.detail()))));
		return violations;
	}

}
