package io.leaderelection.etcd;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Since when, on this node's monotonic clock, records and proofs of life have been seen
 * as they are. What is seen at a moment was written before it. So a lease whose record
 * and proof of life stay the same for as long as the lease lasts has ended, whatever
 * clocks show and whatever has become of its holder's etcd lease.
 */
final class Sightings {

	private final Map<String, Sighting> records = new HashMap<>();

	private final Map<String, Sighting> proofs = new HashMap<>();

	private final Map<String, String> holders = new HashMap<>();

	/** Takes note of a record as it was just seen, and of the session that holds it. */
	synchronized void sawRecord(String election, Seen seen, @Nullable String session) {
		see(this.records, election, seen);
		String before = (session != null) ? this.holders.put(election, session) : this.holders.remove(election);
		if (before != null && !before.equals(session) && !this.holders.containsValue(before)) {
			this.proofs.remove(before);
		}
	}

	/**
	 * Takes note of a proof of life as it was just seen, if its session holds a lease.
	 */
	synchronized void sawProof(String session, Seen seen) {
		if (this.holders.containsValue(session)) {
			see(this.proofs, session, seen);
		}
	}

	private static void see(Map<String, Sighting> sightings, String name, Seen seen) {
		long now = System.nanoTime();
		sightings.merge(name, new Sighting(seen, now),
				(before, present) -> before.seen.equals(present.seen) ? before : present);
	}

	/** The sessions that held these leases when they were last seen. */
	synchronized Set<String> holders(Collection<String> elections) {
		Set<String> sessions = new LinkedHashSet<>();
		elections.stream().map(this.holders::get).filter(Objects::nonNull).forEach(sessions::add);
		return sessions;
	}

	/**
	 * For how long the record has been seen like that. It proves something only together
	 * with a write that fails if the record is no longer so.
	 */
	synchronized Duration recordUnchanged(String election, Seen seen) {
		return age(this.records.get(election), seen);
	}

	/** The same of a session's proof of life. */
	synchronized Duration proofUnchanged(String session, Seen seen) {
		return age(this.proofs.get(session), seen);
	}

	private static Duration age(@Nullable Sighting sighting, Seen seen) {
		return (sighting != null && sighting.seen.equals(seen)) ? Duration.ofNanos(System.nanoTime() - sighting.since)
				: Duration.ZERO;
	}

	private record Sighting(Seen seen, long since) {
	}

}
