package io.leaderelection.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Those who wait to hear whether this node leads, each for the answer to a request that
 * was sent after it came: an older one may have been refused before.
 */
final class Attempts {

	private List<CompletableFuture<Boolean>> waiting = List.of();

	private List<CompletableFuture<Boolean>> asked = List.of();

	void add(CompletableFuture<Boolean> attempt) {
		this.waiting = joined(this.waiting, List.of(attempt));
	}

	/** A request is sent for all that have come so far. */
	void asked() {
		this.asked = joined(this.asked, this.waiting);
		this.waiting = List.of();
	}

	List<CompletableFuture<Boolean>> takeAsked() {
		List<CompletableFuture<Boolean>> taken = this.asked;
		this.asked = List.of();
		return taken;
	}

	List<CompletableFuture<Boolean>> takeAll() {
		asked();
		return takeAsked();
	}

	private static <T> List<T> joined(List<T> some, List<T> more) {
		if (some.isEmpty()) {
			return more;
		}
		List<T> all = new ArrayList<>(some);
		all.addAll(more);
		return all;
	}

}
