package io.leaderelection.observed;

import java.time.Duration;

import io.leaderelection.store.Lease;
import io.leaderelection.store.Owner;
import org.jspecify.annotations.Nullable;

/**
 * What a store keeps of one election: a lease that is held, reserved for a node, or
 * nobody's.
 *
 * @param token the token of the last leadership; zero if there was none with a token
 * @param duration how long the record has to be seen unchanged before anybody may take
 * the lease
 * @param holder who holds it
 * @param reservedFor the node that it is reserved for
 */
public record LeaseRecord(long token, Duration duration, @Nullable Owner holder, @Nullable String reservedFor) {

	/** Longer than any lease that settings allow. */
	private static final Duration LONGEST = Duration.ofDays(366);

	/** No run of a process of ours is named like that. */
	private static final String FOREIGN = "";

	/**
	 * Checks what was read or is to be written.
	 * @throws IllegalArgumentException if no store has written it
	 */
	public LeaseRecord {
		if (token < 0 || token == Long.MAX_VALUE) {
			throw new IllegalArgumentException("No token: " + token);
		}
		if (duration.compareTo(Duration.ZERO) <= 0 || duration.compareTo(LONGEST) > 0) {
			throw new IllegalArgumentException("No duration of a lease: " + duration);
		}
		if (holder != null && reservedFor != null) {
			throw new IllegalArgumentException("What is held is not reserved");
		}
	}

	/**
	 * A lease that is held by another tool, which knows no tokens. It is waited for like
	 * any other, and what its holder had before is lost.
	 * @param token the highest token that the record still shows; zero if none
	 * @param holder the name of the holder
	 * @param duration how long it has to be seen unchanged; a store whose record does not
	 * say so chooses what is long enough
	 * @return the record
	 */
	public static LeaseRecord foreign(long token, String holder, Duration duration) {
		return new LeaseRecord(token, duration, new Owner(holder, FOREIGN), null);
	}

	static LeaseRecord held(Lease lease) {
		return new LeaseRecord(lease.token(), lease.duration(), lease.owner(), null);
	}

	static LeaseRecord free(Lease lease) {
		return new LeaseRecord(lease.token(), lease.duration(), null, null);
	}

	static LeaseRecord reserved(Lease lease, String nodeId, Duration grace) {
		return new LeaseRecord(lease.token(), grace, null, nodeId);
	}

	boolean isHeldWith(Lease lease) {
		return this.token == lease.token() && lease.owner().equals(this.holder);
	}

	boolean isForAnybody() {
		return this.holder == null && this.reservedFor == null;
	}

	boolean isForeign() {
		return this.holder != null && this.holder.incarnation().equals(FOREIGN);
	}

}
