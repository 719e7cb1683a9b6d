package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * Since when, on this node's monotonic clock, records and heartbeats have been seen
 * unchanged. What is seen at a moment was written before it. So a lease has ended if its
 * record and its heartbeat stay the same for as long as the lease lasts, whatever clocks
 * show; the time counts from the answer that first contained them, not from its request.
 */
final class ExpiryTracker {

	private final Map<String, Observation<RecordSnapshot>> records = new HashMap<>();

	private final Map<String, Observation<HeartbeatSnapshot>> heartbeats = new HashMap<>();

	private final Map<String, String> incarnations = new HashMap<>();

	/**
	 * Forgets everything if a node was started again: the monotonic clock may be that of
	 * another machine since, as after a checkpoint.
	 */
	synchronized void observedBy(Owner owner) {
		String before = this.incarnations.put(owner.nodeId(), owner.incarnation());
		if (before != null && !before.equals(owner.incarnation())) {
			this.records.clear();
			this.heartbeats.clear();
		}
	}

	/** Takes note of a record that was just read. */
	synchronized void saw(String election, RecordSnapshot snapshot, long now) {
		Observation<RecordSnapshot> before = this.records.get(election);
		this.records.put(election, Observation.of(before, snapshot, now));
		String former = (before != null) ? heartbeatOf(before.seen) : null;
		if (former != null && !former.equals(heartbeatOf(snapshot)) && !isUsed(former)) {
			this.heartbeats.remove(former);
		}
	}

	/** Takes note of a heartbeat that was just read, if it renews a lease. */
	synchronized void sawHeartbeat(HeartbeatSnapshot snapshot, long now) {
		if (this.heartbeats.containsKey(snapshot.id()) || isUsed(snapshot.id())) {
			this.heartbeats.put(snapshot.id(), Observation.of(this.heartbeats.get(snapshot.id()), snapshot, now));
		}
	}

	private boolean isUsed(String heartbeat) {
		return this.records.values().stream().anyMatch((record) -> heartbeat.equals(heartbeatOf(record.seen)));
	}

	/** The heartbeats that renewed these leases when their records were last read. */
	synchronized Set<String> heartbeats(Collection<String> elections) {
		Set<String> heartbeats = new LinkedHashSet<>();
		for (String election : elections) {
			Observation<RecordSnapshot> record = this.records.get(election);
			String heartbeat = (record != null) ? heartbeatOf(record.seen) : null;
			if (heartbeat != null) {
				heartbeats.add(heartbeat);
			}
		}
		return heartbeats;
	}

	/**
	 * How long a record has been seen unchanged. It proves something only together with a
	 * write that fails if the record has changed.
	 */
	synchronized Duration unchanged(String election, RecordSnapshot snapshot, long now) {
		Observation<RecordSnapshot> record = this.records.get(election);
		return (record != null && record.seen.equals(snapshot)) ? Duration.ofNanos(now - record.since) : Duration.ZERO;
	}

	/** The same of a heartbeat as it was last seen, which the write has to expect. */
	synchronized @Nullable UnchangedHeartbeat heartbeat(String id, long now) {
		Observation<HeartbeatSnapshot> heartbeat = this.heartbeats.get(id);
		return (heartbeat != null) ? new UnchangedHeartbeat(heartbeat.seen, Duration.ofNanos(now - heartbeat.since))
				: null;
	}

	static @Nullable String heartbeatOf(RecordSnapshot snapshot) {
		return (snapshot instanceof Present present) ? present.record().heartbeat() : null;
	}

	/**
	 * A heartbeat, and for how long it has been seen like that.
	 */
	record UnchangedHeartbeat(HeartbeatSnapshot snapshot, Duration unchanged) {
	}

	private record Observation<T>(T seen, long since) {

		static <T> Observation<T> of(@Nullable Observation<T> before, T seen, long now) {
			return (before != null && Objects.equals(before.seen, seen)) ? before : new Observation<>(seen, now);
		}

	}

}
