package io.leaderelection.store.observed;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;

/**
 * What a store keeps of one election: a lease that is held, reserved for a node, or free.
 *
 * @param token the token of the last leadership; zero if there was none with a token
 * @param duration how long the record has to be seen unchanged before another node may
 * take the lease
 * @param holder the holder
 * @param heartbeat the heartbeat that renews the lease; none if every renewal writes the
 * record
 * @param reservedFor the node that the lease is reserved for
 */
public record LeaseRecord(long token, Duration duration, @Nullable Owner holder, @Nullable String heartbeat,
		@Nullable String reservedFor) {

	/** Longer than any lease that settings allow. */
	private static final Duration LONGEST = Duration.ofDays(366);

	/** No incarnation of ours has this name. */
	private static final String FOREIGN = "";

	/**
	 * Checks what was read or is to be written.
	 * @throws IllegalArgumentException if no store has written it
	 */
	public LeaseRecord {
		if (token < 0 || token == Long.MAX_VALUE) {
			throw new IllegalArgumentException("Not a token: " + token);
		}
		if (duration.compareTo(Duration.ZERO) <= 0 || duration.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("Not the duration of a lease: " + duration);
		}
		if (holder != null && reservedFor != null) {
			throw new IllegalArgumentException("A lease that is held is not reserved");
		}
		if (holder == null && heartbeat != null) {
			throw new IllegalArgumentException("Only a holder has a heartbeat");
		}
	}

	/**
	 * A lease that is held by another tool, which knows no tokens. It expires like any
	 * other, and what its holder had before is lost.
	 * @param token the highest token that the record still shows; zero if none
	 * @param holder the name of the holder
	 * @param duration how long it has to be seen unchanged; a store whose record does not
	 * contain a duration chooses one that is long enough
	 * @return the record
	 */
	public static LeaseRecord foreign(long token, String holder, Duration duration) {
		return new LeaseRecord(token, duration, new Owner(holder, FOREIGN), null, null);
	}

	/**
	 * A lease that is held.
	 * @param lease the lease
	 * @param heartbeat the heartbeat that renews it; none if every renewal writes the
	 * record
	 * @return the record
	 */
	public static LeaseRecord held(Lease lease, @Nullable String heartbeat) {
		return new LeaseRecord(lease.token(), lease.duration(), lease.owner(), heartbeat, null);
	}

	/**
	 * A lease that was released.
	 * @param lease the lease
	 * @return the record
	 */
	public static LeaseRecord free(Lease lease) {
		return new LeaseRecord(lease.token(), lease.duration(), null, null, null);
	}

	/**
	 * A lease that was released for one node.
	 * @param lease the lease
	 * @param nodeId the node
	 * @param grace how long only that node may take it
	 * @return the record
	 */
	public static LeaseRecord reserved(Lease lease, String nodeId, Duration grace) {
		return new LeaseRecord(lease.token(), grace, null, null, nodeId);
	}

	/**
	 * Whether this lease is held with this owner and token.
	 * @param lease the lease
	 * @return {@code true} if it is
	 */
	public boolean isHeldWith(Lease lease) {
		return this.token == lease.token() && lease.owner().equals(this.holder);
	}

	boolean isFree() {
		return this.holder == null && this.reservedFor == null;
	}

	boolean isForeign() {
		return this.holder != null && this.holder.incarnation().equals(FOREIGN);
	}

}
