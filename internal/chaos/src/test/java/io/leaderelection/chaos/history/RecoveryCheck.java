package io.leaderelection.chaos.history;

import java.util.List;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * All processes that are there when the faults are over still lead when it is their turn:
 * one leader after the other is asked to leave until none is left.
 */
final class RecoveryCheck {

	private final History history;

	private final List<Reign> reigns;

	RecoveryCheck(History history, List<Reign> reigns) {
		this.history = history;
		this.reigns = reigns;
	}

	List<Violation> violations() {
		return this.history.lives()
			.stream()
			.filter((life) -> life.isAliveAt(this.history.closing()))
			.filter((life) -> this.reigns.stream().noneMatch((reign) -> isAfterTheFaults(reign, life)))
			.map((life) -> new Violation(Kind.NOT_RECOVERED, this.history.closing(),
					"%s lived to the end, but led no more after the faults".formatted(life.process())))
			.toList();
	}

	private boolean isAfterTheFaults(Reign reign, Life life) {
		return reign.process().equals(life.process()) && reign.last().after() > this.history.closing();
	}

}
