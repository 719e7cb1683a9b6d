package io.leaderelection.engine;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What prevents the takeover of a lease that has ended. It counts after the length of a
 * lease: before that, it may be a transaction that is about to be committed.
 */
final class Blockade {

	private final ElectionEngine engine;

	private final Election election;

	private long since = Election.NEVER;

	private @Nullable String by;

	Blockade(ElectionEngine engine, Election election) {
		this.engine = engine;
		this.election = election;
	}

	/** Takes note of an answer of the store; none if nothing prevents the takeover. */
	void seen(@Nullable String blockedBy) {
		boolean reported = this.by != null;
		if (blockedBy == null) {
			forget();
			if (reported) {
				this.engine.log().takeoverUnblocked(this.election.name());
			}
			return;
		}
		long now = this.engine.now();
		this.since = Math.min(this.since, now);
		if (now - this.since >= this.election.settings().leaseDuration().toNanos()) {
			this.by = blockedBy;
			if (!reported) {
				this.engine.log().takeoverBlocked(error(blockedBy));
			}
		}
	}

	/** What was seen before this node looked away for a while proves nothing. */
	void forget() {
		this.since = Election.NEVER;
		this.by = null;
	}

	Optional<String> by() {
		return Optional.ofNullable(this.by);
	}

	Optional<String> error() {
		return by().map(this::error);
	}

	private String error(String blockedBy) {
		return "The takeover of '%s' is blocked: %s".formatted(this.election.name(), blockedBy);
	}

}
