package io.leaderelection.store.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.leaderelection.store.AcquireResult;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * What the store keeps of one election. Held while {@code until} lies ahead, by an owner
 * or reserved for a node.
 */
final class LeaseRecord {

	private static final long FREE = Long.MIN_VALUE;

	private static final int STANDBY_LEASES = 2;

	long token;

	private @Nullable Owner owner;

	private @Nullable String reservedFor;

	private long until = FREE;

	private Duration duration = Duration.ZERO;

	private Map<String, Long> standbyUntil = new HashMap<>();

	boolean isHeld(long now) {
		return this.until > now;
	}

	boolean isOwnedBy(Owner candidate) {
		return candidate.equals(this.owner);
	}

	boolean isReservedFor(Owner candidate) {
		return candidate.nodeId().equals(this.reservedFor);
	}

	boolean isHeldWith(Lease lease, long now) {
		return isHeld(now) && isOwnedBy(lease.owner()) && this.token == lease.token();
	}

	void grant(AcquireRequest candidacy, long token, long now) {
		this.owner = candidacy.owner();
		this.reservedFor = null;
		this.token = token;
		this.standbyUntil.remove(candidacy.owner().nodeId());
		prolong(now, candidacy.duration());
	}

	void rewrite(Lease lease, long now) {
		this.owner = lease.owner();
		this.token = lease.token();
		prolong(now, lease.duration());
	}

	void prolong(long now, Duration duration) {
		this.duration = duration;
		this.until = now + duration.toNanos();
	}

	void free() {
		this.owner = null;
		this.reservedFor = null;
		this.until = FREE;
	}

	void reserve(String nodeId, Duration grace, long now) {
		this.owner = null;
		this.reservedFor = nodeId;
		prolong(now, grace);
	}

	void standBy(AcquireRequest candidacy, long now) {
		this.standbyUntil.values().removeIf((until) -> until <= now);
		this.standbyUntil.put(candidacy.owner().nodeId(),
				now + candidacy.duration().multipliedBy(STANDBY_LEASES).toNanos());
	}

	AcquireResult held(long now) {
		return new AcquireResult.Held(Optional.ofNullable(this.owner).map(Owner::nodeId), this.token,
				Duration.ofNanos(this.until - now), this.duration);
	}

	LeaseView view(long now) {
		this.standbyUntil.values().removeIf((until) -> until <= now);
		List<String> candidates = new ArrayList<>(this.standbyUntil.keySet());
		candidates.sort(null);
		boolean held = isHeld(now);
		return new LeaseView(held ? Optional.ofNullable(this.owner) : Optional.empty(), this.token,
				held ? Duration.ofNanos(this.until - now) : Duration.ZERO, candidates);
	}

	LeaseRecord copy() {
		LeaseRecord copy = new LeaseRecord();
		copy.token = this.token;
		copy.owner = this.owner;
		copy.reservedFor = this.reservedFor;
		copy.until = this.until;
		copy.duration = this.duration;
		copy.standbyUntil = new HashMap<>(this.standbyUntil);
		return copy;
	}

}
