package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

import io.leaderelection.chaos.history.Violation.Kind;

/**
 * A process that has lived through faults has about as many threads and file descriptors
 * in the calm after them as in the first third of its life. Not as in its first seconds:
 * some clients open what serves their connections when these are made again.
 */
final class LeakCheck {

	private static final long WARM_UP = 5_000_000_000L;

	private final History history;

	private final Bounds bounds;

	LeakCheck(History history, Bounds bounds) {
		this.history = history;
		this.bounds = bounds;
	}

	List<Violation> violations() {
		List<Violation> violations = new ArrayList<>();
		for (Life life : this.history.lives()) {
			if (life.isAliveAt(this.history.closing())) {
				compare(life, violations);
			}
		}
		return violations;
	}

	private void compare(Life life, List<Violation> violations) {
		Growth growth = growth(life).orElse(null);
		if (growth == null) {
			violations
				.add(new Violation(Kind.BLIND, life.ready(), "%s did not tell what it uses".formatted(life.process())));
		}
		else if (growth.threadsAfter() > growth.threadsBefore() + this.bounds.threads()
				|| growth.descriptorsAfter() > growth.descriptorsBefore() + this.bounds.descriptors()) {
			violations.add(new Violation(Kind.LEAK, this.history.closing(), growth.toString()));
		}
	}

	/** Of the process that has lived longest. */
	Optional<Growth> longest() {
		return this.history.lives()
			.stream()
			.filter((life) -> life.isAliveAt(this.history.closing()))
			.min(Comparator.comparingLong(Life::ready))
			.flatMap(this::growth);
	}

	/** From the most that it began with to the least that it came down to. */
	private Optional<Growth> growth(Life life) {
		long third = (this.history.closing() - life.ready()) / 3;
		List<Resources> before = within(life, life.ready(), life.ready() + Math.max(WARM_UP, third));
		List<Resources> after = within(life, this.history.closing() - WARM_UP, this.history.closing());
		if (before.isEmpty() || after.isEmpty()) {
			return Optional.empty();
		}
		return Optional
			.of(new Growth(life.process(), most(before, Resources::threads), least(after, Resources::threads),
					most(before, Resources::descriptors), least(after, Resources::descriptors)));
	}

	private static int most(List<Resources> resources, ToIntFunction<Resources> figure) {
		return resources.stream().mapToInt(figure).max().orElseThrow();
	}

	private static int least(List<Resources> resources, ToIntFunction<Resources> figure) {
		return resources.stream().mapToInt(figure).min().orElseThrow();
	}

	private List<Resources> within(Life life, long from, long to) {
		return this.history.resources()
			.stream()
			.filter((one) -> one.process().equals(life.process()) && one.at() >= from && one.at() <= to)
			.toList();
	}

}
