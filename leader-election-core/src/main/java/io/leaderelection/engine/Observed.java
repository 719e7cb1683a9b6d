package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;

import io.leaderelection.ElectionSettings;
import io.leaderelection.Leader;
import io.leaderelection.engine.NodeClock.Moment;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate has seen of an election's record, and what follows for the day that
 * the record is gone.
 *
 * <p>
 * A missing record means a first start or a loss of data. A leader may still be valid
 * after a loss; it writes its record again when it renews, and one that cannot is valid
 * for one lease after the record was seen missing at the most. So a candidate that has
 * ever seen the record creates it only after having seen it missing for that long, again
 * and again: between two looks that lie far apart it may have come and gone.
 */
final class Observed {

	private static final long NEVER = Election.NEVER;

	private static final long LONG_AGO = Election.LONG_AGO;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final long coldStartWait;

	private final long longestGap;

	private final double waitFactor;

	private long longestLease;

	private long missingSince = NEVER;

	private Moment missingSeen = new Moment(0, 0);

	private @Nullable Leader leader;

	private long leaderUntil = LONG_AGO;

	/**
	 * When the lease of the leader was last renewed, as its remaining time proves; never
	 * if this node does not know.
	 */
	private long renewedAt = NEVER;

	/** When the store last said that the leader holds the lease. */
	private long heldAt;

	/** When that lease may end, if it is not renewed and clocks differ. */
	private long leaseEnds;

	/** When a hint said that the leader has given the lease up. */
	private long givenUpAt = NEVER;

	Observed(ElectionSettings settings) {
		this.coldStartWait = settings.coldStartWait().toNanos();
		this.longestGap = 2 * settings.renewInterval().toNanos();
		this.waitFactor = 1 + settings.clockDrift();
	}

	void lease(Duration duration) {
		this.longestLease = Math.max(this.longestLease, duration.toNanos());
		this.missingSince = NEVER;
	}

	void missing(Moment now) {
		if (this.missingSince == NEVER || isLongAgo(this.missingSeen, now)) {
			this.missingSince = now.nanos();
		}
		this.missingSeen = now;
	}

	/** What was seen before this node looked away for a while proves nothing. */
	void lookAway() {
		this.missingSince = NEVER;
		forgetRenewal();
	}

	/** Others may lead while this node does not ask. */
	void forgetRenewal() {
		this.renewedAt = NEVER;
	}

	/** Nor does any moment of a clock that may have jumped since. */
	void startAnew() {
		lookAway();
		this.leaderUntil = LONG_AGO;
	}

	boolean mayCreate(Moment now) {
		long wait = missingWait();
		return wait == 0 || (this.missingSince != NEVER && now.nanos() - this.missingSince >= wait
				&& !isLongAgo(this.missingSeen, now));
	}

	/** By either clock: a suspended machine does not know that it looked away. */
	private boolean isLongAgo(Moment then, Moment now) {
		return now.nanos() - then.nanos() > this.longestGap
				|| (now.wallMillis() - then.wallMillis()) * NANOS_PER_MILLI > this.longestGap;
	}

	long mayCreateAt() {
		return this.missingSince + missingWait();
	}

	private long missingWait() {
		return (this.longestLease > 0) ? (long) (this.longestLease * this.waitFactor) : this.coldStartWait;
	}

	/** Takes note of the leader; says whether another leadership was known before. */
	boolean leads(Leader seen, long until) {
		boolean changed = !seen.equals(this.leader);
		this.leader = seen;
		this.leaderUntil = until;
		return changed;
	}

	Optional<Leader> lastLeader() {
		return Optional.ofNullable(this.leader);
	}

	Optional<Leader> leader(long now) {
		return (now < this.leaderUntil) ? lastLeader() : Optional.empty();
	}

	void nobodyLeads() {
		this.leaderUntil = LONG_AGO;
	}

	/** The store said that the leader holds the lease. */
	void held(long askedAt, Duration remaining, Duration duration) {
		this.heldAt = askedAt;
		this.leaseEnds = askedAt + (long) (remaining.toNanos() / this.waitFactor);
		this.renewedAt = askedAt + remaining.toNanos() - duration.toNanos();
		this.givenUpAt = NEVER;
	}

	/** This node's own leadership ended. */
	void ended(long lastSign) {
		this.renewedAt = lastSign;
		this.heldAt = lastSign;
		this.leaseEnds = lastSign;
		this.givenUpAt = NEVER;
	}

	/** A hint. It counts only if the request that follows it is granted. */
	void givenUp(long now) {
		this.givenUpAt = Math.min(this.givenUpAt, now);
	}

	void requestFailed() {
		this.givenUpAt = NEVER;
	}

	/**
	 * The time since the last proof that the previous leader was alive. A lease that is
	 * granted before it can have expired has been given up, also without a hint.
	 * Otherwise the proof is the last renewal.
	 */
	Optional<Duration> vacancy(long now) {
		if (this.renewedAt == NEVER) {
			return Optional.empty();
		}
		long proof = (now < this.leaseEnds) ? this.heldAt : this.renewedAt;
		return Optional.of(Duration.ofNanos(now - ((this.givenUpAt != NEVER) ? this.givenUpAt : proof)));
	}

}
