package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * Every time without a leader has a cause, and does not last longer than the cause can
 * make it.
 */
final class GapCheck {

	private static final double NANOS_PER_SECOND = 1e9;

	private final List<Gap> gaps;

	GapCheck(List<Gap> gaps) {
		this.gaps = gaps;
	}

	List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		for (Gap gap : this.gaps) {
			double seconds = gap.length() / NANOS_PER_SECOND;
			if (gap.because().isEmpty()) {
				violations.add(new Violation(Kind.GAP_UNEXPLAINED, gap.from(),
						"nobody led for %.3f s after %s, and nothing had befallen it".formatted(seconds,
								gap.former())));
			}
			else if (gap.to() > gap.deadline()) {
				violations.add(new Violation(Kind.GAP_TOO_LONG, gap.deadline(),
						"nobody led for %.3f s after %s, %.3f s longer than %s can explain".formatted(seconds,
								gap.former(), (gap.to() - gap.deadline()) / NANOS_PER_SECOND, gap.because())));
			}
		}
		return violations;
	}

}
