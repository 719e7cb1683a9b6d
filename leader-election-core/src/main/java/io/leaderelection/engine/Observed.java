package io.leaderelection.engine;

import java.time.Duration;
import java.time.Instant;
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

	private @Nullable Instant leaderSince;

	/** When the lease that was last seen ends, or earlier. */
	private long vacantSince = NEVER;

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
	}

	/** Nor does any moment of a clock that may have jumped since. */
	void startAnew() {
		lookAway();
		this.leaderUntil = LONG_AGO;
		this.vacantSince = NEVER;
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
	boolean leads(Leader seen, long leaseEnds, long until, Instant at) {
		boolean changed = !seen.equals(this.leader);
		if (changed) {
			this.leaderSince = at;
		}
		this.leader = seen;
		this.leaderUntil = until;
		this.vacantSince = leaseEnds;
		return changed;
	}

	Optional<Leader> lastLeader() {
		return Optional.ofNullable(this.leader);
	}

	Optional<Leader> leader(long now) {
		return (now < this.leaderUntil) ? lastLeader() : Optional.empty();
	}

	/** Since when the present leader was seen to lead, be it this node or another. */
	Optional<Instant> leaderSince(long now, boolean isThisNode) {
		return (isThisNode || now < this.leaderUntil) ? Optional.ofNullable(this.leaderSince) : Optional.empty();
	}

	void nobodyLeads(long now) {
		mayBeVacant(now);
		this.leaderUntil = LONG_AGO;
	}

	/** Taken back when the same leader is seen again. */
	void mayBeVacant(long now) {
		this.vacantSince = Math.min(this.vacantSince, now);
	}

	/** How long nobody has led, as far as this node knows. */
	Optional<Duration> vacancy(long now) {
		return (this.leader != null && this.vacantSince <= now) ? Optional.of(Duration.ofNanos(now - this.vacantSince))
				: Optional.empty();
	}

}
