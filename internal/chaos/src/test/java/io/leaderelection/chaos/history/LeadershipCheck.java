package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * One leader at a time, tokens that rise, and no leadership that comes back.
 */
final class LeadershipCheck {

	private static final double NANOS_PER_MILLI = 1e6;

	private final List<Reign> reigns;

	LeadershipCheck(List<Reign> reigns) {
		this.reigns = reigns;
	}

	List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		for (int i = 0; i < this.reigns.size(); i++) {
			for (int j = i + 1; j < this.reigns.size(); j++) {
				compare(this.reigns.get(i), this.reigns.get(j), violations);
			}
		}
		return violations;
	}

	private static void compare(Reign one, Reign other, List<Violation> violations) {
		boolean sameProcess = one.process().equals(other.process());
		if (!sameProcess && one.overlaps(other)) {
			long from = Math.max(one.since(), other.since());
			double millis = (Math.min(one.until(), other.until()) - from) / NANOS_PER_MILLI;
			violations.add(new Violation(Kind.TWO_LEADERS, from,
					"%s and %s, for %.3f ms at least".formatted(one, other, millis)));
		}
		if (one.token() == 0 || other.token() == 0) {
			return;
		}
		if (one.token() == other.token()) {
			violations.add(new Violation(sameProcess ? Kind.LEADERSHIP_REVIVED : Kind.TOKEN_FELL, other.since(),
					"%s again, after %s".formatted(other, one)));
			return;
		}
		Reign lower = (one.token() < other.token()) ? one : other;
		Reign higher = (lower == one) ? other : one;
		if (lower.until() >= higher.since()) {
			violations.add(new Violation(Kind.TOKEN_FELL, lower.until(),
					"%s was there, and then %s".formatted(higher, lower)));
		}
	}

}
