package io.leaderelection.engine;

import java.time.Duration;
import java.util.Optional;

import io.leaderelection.ElectionSettings;
import io.leaderelection.FencingToken;
import io.leaderelection.Leader;
import io.leaderelection.engine.NodeClock.Moment;
import io.leaderelection.store.AcquireResult;
import org.jspecify.annotations.Nullable;

/**
 * What the responses of the store show of an election's record: when a candidate may
 * create it although no leader is known, who leads, for how long no node has led, and
 * what blocks a takeover. Guarded by the engine's lock.
 *
 * <p>
 * A missing record means a first start or a loss of data. After a loss, a leader may
 * still be valid: it writes its record again when it renews, and if it cannot renew, its
 * validity ends within one lease duration. Therefore a candidate that has ever seen the
 * record creates it only after the record was missing for that long in consecutive
 * requests: between two requests that lie far apart, the record may have existed.
 */
final class ObservedRecord {

	private static final long NEVER = Election.NEVER;

	private static final long LONG_AGO = Election.LONG_AGO;

	private static final long NANOS_PER_MILLI = 1_000_000;

	private final String election;

	private final ElectionSettings settings;

	private final NodeState node;

	private final Transitions transitions;

	private final EngineLog log;

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

	/** When a hint said that the leader has released the lease. */
	private long releasedAt = NEVER;

	/** When a lease of another process with the id of this node was first seen. */
	private long namesakeSeen = NEVER;

	private long blockedSince = NEVER;

	/** What has prevented a takeover for the length of a lease. */
	private @Nullable String blockedBy;

	ObservedRecord(String election, ElectionSettings settings, NodeState node, Transitions transitions, EngineLog log) {
		this.election = election;
		this.settings = settings;
		this.node = node;
		this.transitions = transitions;
		this.log = log;
	}

	/** Forgets what was seen by a clock that may have jumped since. */
	void startAnew() {
		noLeader();
		this.missingSince = NEVER;
		forgetRenewal();
		this.namesakeSeen = NEVER;
	}

	/** Observations from before a time without requests prove nothing. */
	void pause() {
		this.missingSince = NEVER;
		forgetRenewal();
		unblocked();
	}

	/** Others may lead while this node does not ask. */
	void forgetRenewal() {
		this.renewedAt = NEVER;
	}

	/** The record exists, with a lease of this duration. */
	void exists(Duration lease) {
		this.longestLease = Math.max(this.longestLease, lease.toNanos());
		this.missingSince = NEVER;
	}

	void missing() {
		Moment now = this.node.clock().now();
		noLeader();
		if (this.missingSince == NEVER || isLongAgo(this.missingSeen, now)) {
			this.missingSince = now.nanos();
		}
		this.missingSeen = now;
	}

	boolean mayCreate() {
		Moment now = this.node.clock().now();
		long wait = missingWait();
		return wait == 0 || (this.missingSince != NEVER && now.nanos() - this.missingSince >= wait
				&& !isLongAgo(this.missingSeen, now));
	}

	/** By either clock: the monotonic clock of a suspended machine stands still. */
	private boolean isLongAgo(Moment then, Moment now) {
		long longestGap = 2 * this.settings.renewInterval().toNanos();
		return now.nanos() - then.nanos() > longestGap
				|| (now.wallMillis() - then.wallMillis()) * NANOS_PER_MILLI > longestGap;
	}

	long mayCreateAt() {
		return this.missingSince + missingWait();
	}

	private long missingWait() {
		return (this.longestLease > 0) ? (long) (this.longestLease * (1 + this.settings.clockDrift()))
				: this.settings.coldStartWait().toNanos();
	}

	/** The store said that a leader holds the lease. */
	void held(AcquireResult.Held lease, String nodeId, Moment sentAt, long now) {
		long remaining = Math.max(lease.remaining().toNanos(), 0);
		this.heldAt = sentAt.nanos();
		this.leaseEnds = this.heldAt + (long) (remaining / (1 + this.settings.clockDrift()));
		this.renewedAt = this.heldAt + remaining - lease.duration().toNanos();
		this.releasedAt = NEVER;
		if (nodeId.equals(this.node.nodeId())) {
			heldByNamesake(lease.duration().toNanos(), now);
		}
		ledBy(nodeId, lease.token(), now + remaining);
	}

	/**
	 * After a restart, the lease of the last run remains for its duration at most. One
	 * that was renewed after that time belongs to a live process.
	 */
	private void heldByNamesake(long duration, long now) {
		this.namesakeSeen = Math.min(this.namesakeSeen, now);
		if (this.renewedAt > this.namesakeSeen + duration) {
			this.node.foundDuplicate(this.election);
		}
	}

	/** A node leads, at most until its lease ends. */
	void ledBy(String nodeId, long token, long leaseEnds) {
		change(new Leader(nodeId, new FencingToken(this.election, token)),
				leaseEnds + this.settings.callTimeout().toNanos(), Optional.empty());
	}

	/** This node leads; its term knows for how long. */
	void ledByThisNode(FencingToken token) {
		change(new Leader(this.node.nodeId(), token), LONG_AGO, vacancy(this.node.now()));
	}

	private void change(Leader seen, long until, Optional<Duration> vacancy) {
		Optional<Leader> previous = Optional.ofNullable(this.leader);
		this.leader = seen;
		this.leaderUntil = until;
		if (!seen.equals(previous.orElse(null))) {
			this.transitions.leaderChanged(seen, previous, vacancy);
		}
	}

	void noLeader() {
		this.leaderUntil = LONG_AGO;
	}

	Optional<Leader> leader() {
		return (this.node.now() < this.leaderUntil) ? Optional.ofNullable(this.leader) : Optional.empty();
	}

	/** This node's own leadership ended, whose last sign of life was then. */
	void ended(long lastSign) {
		this.renewedAt = lastSign;
		this.heldAt = lastSign;
		this.leaseEnds = lastSign;
		this.releasedAt = NEVER;
	}

	/** A hint. It counts only if the request that follows it is granted. */
	void leaseReleased(long now) {
		this.releasedAt = Math.min(this.releasedAt, now);
	}

	void requestFailed() {
		this.releasedAt = NEVER;
	}

	/**
	 * A lease that is granted before it can have expired has been released, also without
	 * a hint. Otherwise the proof is the last renewal.
	 */
	private Optional<Duration> vacancy(long now) {
		if (this.renewedAt == NEVER) {
			return Optional.empty();
		}
		long proof = (now < this.leaseEnds) ? this.heldAt : this.renewedAt;
		return Optional.of(Duration.ofNanos(now - ((this.releasedAt != NEVER) ? this.releasedAt : proof)));
	}

	/**
	 * Records what prevents the takeover of a lease that has ended, if anything does. It
	 * counts after the length of a lease: before that, it may be a transaction that is
	 * about to be committed.
	 */
	void blocked(@Nullable String by) {
		boolean reported = this.blockedBy != null;
		if (by == null) {
			unblocked();
			if (reported) {
				this.log.takeoverUnblocked(this.election);
			}
			return;
		}
		long now = this.node.now();
		this.blockedSince = Math.min(this.blockedSince, now);
		if (now - this.blockedSince >= this.settings.leaseDuration().toNanos()) {
			this.blockedBy = by;
			if (!reported) {
				this.log.takeoverBlocked(blockade(by));
			}
		}
	}

	private void unblocked() {
		this.blockedSince = NEVER;
		this.blockedBy = null;
	}

	Optional<String> blockedBy() {
		return Optional.ofNullable(this.blockedBy);
	}

	Optional<String> blockade() {
		return blockedBy().map(this::blockade);
	}

	private String blockade(String by) {
		return "The takeover of '%s' is blocked: %s".formatted(this.election, by);
	}

}
