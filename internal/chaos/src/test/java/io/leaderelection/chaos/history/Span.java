package io.leaderelection.chaos.history;

import java.util.ArrayList;
import java.util.List;

/**
 * A time from one moment to another. One that ends before it begins is empty.
 */
record Span(long from, long to) {

	long length() {
		return Math.max(0, this.to - this.from);
	}

	Span and(Span other) {
		return new Span(Math.max(this.from, other.from), Math.min(this.to, other.to));
	}

	/** What is left of this time without others. */
	List<Span> without(List<Span> others) {
		List<Span> left = new ArrayList<>(List.of(this));
		for (Span other : others) {
			left = left.stream()
				.flatMap((span) -> List
					.of(new Span(span.from, Math.min(span.to, other.from)),
							new Span(Math.max(span.from, other.to), span.to))
					.stream())
				.filter((span) -> span.length() > 0)
				.toList();
		}
		return left;
	}

}
