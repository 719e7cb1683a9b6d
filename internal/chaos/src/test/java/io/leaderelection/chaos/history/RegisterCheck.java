package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * The register accepts nothing with a lower token than it has accepted before, and
 * nothing with one token from two processes.
 */
final class RegisterCheck {

	private final List<Writes> writes;

	private final List<Reign> reigns;

	RegisterCheck(List<Writes> writes, List<Reign> reigns) {
		this.writes = writes.stream().sorted(Comparator.comparingLong(Writes::token)).toList();
		this.reigns = reigns;
	}

	List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		Writes before = null;
		for (Writes next : this.writes) {
			if (before != null && before.token() == next.token()) {
				violations.add(violation(Kind.TOKEN_FELL, next,
						"%s and %s wrote with the token %d".formatted(before.process(), next.process(), next.token())));
			}
			else if (before != null && before.last() > next.first()) {
				violations.add(violation(Kind.STALE_WRITE_ACCEPTED, next,
						"%s wrote with the token %d at position %d, after %s with %d at position %d".formatted(
								before.process(), before.token(), before.last(), next.process(), next.token(),
								next.first())));
			}
			before = (before != null && before.last() > next.last()) ? before : next;
		}
		return violations;
	}

	private Violation violation(Kind kind, Writes writes, String what) {
		long at = this.reigns.stream()
			.filter((reign) -> reign.token() == writes.token())
			.mapToLong(Reign::since)
			.findFirst()
			.orElse(0);
		return new Violation(kind, at, what);
	}

}
