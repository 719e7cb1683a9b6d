package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.zookeeper.LeaseRecord.Held;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Since when, on this node's monotonic clock, records and proofs of life have been seen
 * unchanged. What is read at a moment was written before it. So a lease whose record and
 * proof of life are the same for as long as the lease lasts has ended, whatever clocks
 * show and whatever has become of its holder's session.
 */
final class Sightings {

	private final Map<String, Sighting> records = new HashMap<>();

	private final Map<String, Long> holders = new HashMap<>();

	private final Map<Long, Sighting> proofs = new HashMap<>();

	/** Takes note of records and of their holders' proofs of life, as just read. */
	synchronized void saw(List<Look> looks, Map<Long, Optional<Stat>> seenProofs) {
		for (Look look : looks) {
			this.records.merge(look.path(), Sighting.of(Optional.ofNullable(look.stat())), Sighting::unlessSame);
			if (look.record() instanceof Held held) {
				this.holders.put(look.path(), held.session());
			}
			else {
				this.holders.remove(look.path());
			}
		}
		seenProofs.forEach(this::sawProof);
		this.proofs.keySet().retainAll(Set.copyOf(this.holders.values()));
	}

	/** Takes note of a proof of life as it was just read, or that there is none. */
	synchronized void sawProof(long session, Optional<Stat> stat) {
		this.proofs.merge(session, Sighting.of(stat), Sighting::unlessSame);
	}

	/** The sessions that held these leases when they were last read. */
	synchronized Set<Long> holders(List<String> paths) {
		Set<Long> sessions = new LinkedHashSet<>();
		for (String path : paths) {
			Long session = this.holders.get(path);
			if (session != null) {
				sessions.add(session);
			}
		}
		return sessions;
	}

	synchronized Duration recordUnchanged(String path) {
		return age(this.records.get(path));
	}

	/** How long neither the record nor the session's proof of life have changed. */
	synchronized Duration leaseUnchanged(String path, long session) {
		Duration record = age(this.records.get(path));
		Duration proof = age(this.proofs.get(session));
		return (record.compareTo(proof) < 0) ? record : proof;
	}

	private static Duration age(@Nullable Sighting sighting) {
		return (sighting != null) ? Duration.ofNanos(sighting.last - sighting.since) : Duration.ZERO;
	}

	/**
	 * A node as it was read.
	 *
	 * @param czxid the transaction that created it: a node that was deleted and created
	 * again counts its versions anew
	 * @param version counts its changes
	 * @param since when it was first read like that
	 * @param last when it was last read like that
	 */
	private record Sighting(long czxid, int version, long since, long last) {

		static Sighting of(Optional<Stat> stat) {
			long now = System.nanoTime();
			return stat.map((present) -> new Sighting(present.getCzxid(), present.getVersion(), now, now))
				.orElseGet(() -> new Sighting(-1, -1, now, now));
		}

		Sighting unlessSame(Sighting later) {
			boolean same = later.czxid == this.czxid && later.version == this.version;
			return same ? new Sighting(this.czxid, this.version, this.since, later.last) : later;
		}

	}

}
