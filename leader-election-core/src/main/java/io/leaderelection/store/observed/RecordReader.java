package io.leaderelection.store.observed;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.RecordSnapshot.Unreadable;

/**
 * Reads elections together with the heartbeats of their holders, many at once, and tells
 * the {@link ExpiryTracker} what was seen.
 */
final class RecordReader {

	private static final Logger logger = System.getLogger(RecordReader.class.getName());

	private final LeaseRecords records;

	private final ExpiryTracker tracker;

	private final LongSupplier nanos;

	private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

	/** Records without a holder that a watch has reported and no candidate has used. */
	private final Map<String, Present> vacant = new ConcurrentHashMap<>();

	RecordReader(LeaseRecords records, ExpiryTracker tracker, LongSupplier nanos) {
		this.records = records;
		this.tracker = tracker;
		this.nanos = nanos;
	}

	/**
	 * Reads records. Mostly the holders are those of the last time, so that their
	 * heartbeats are read by the same request.
	 */
	List<RecordSnapshot> read(List<String> elections, CallLimit limit) {
		if (!(this.records instanceof HeartbeatRecords heartbeats)) {
			return saw(elections, this.records.read(elections, limit.remaining()));
		}
		List<String> expected = List.copyOf(this.tracker.heartbeats(elections));
		HeartbeatRecords.Snapshots snapshots = heartbeats.read(elections, expected, limit.remaining());
		List<RecordSnapshot> seen = saw(elections, snapshots.records());
		saw(snapshots.heartbeats());
		Set<String> missing = new LinkedHashSet<>(this.tracker.heartbeats(elections));
		missing.removeAll(expected);
		if (!missing.isEmpty()) {
			saw(heartbeats.read(List.of(), missing, limit.remaining()).heartbeats());
		}
		return seen;
	}

	private List<RecordSnapshot> saw(List<String> elections, List<RecordSnapshot> snapshots) {
		long now = this.nanos.getAsLong();
		for (int i = 0; i < snapshots.size(); i++) {
			saw(elections.get(i), snapshots.get(i), now);
		}
		return snapshots;
	}

	private void saw(List<HeartbeatSnapshot> heartbeats) {
		long now = this.nanos.getAsLong();
		heartbeats.forEach((heartbeat) -> this.tracker.sawHeartbeat(heartbeat, now));
	}

	private void saw(String election, RecordSnapshot snapshot, long now) {
		if (!(snapshot instanceof Unreadable unreadable)) {
			this.unreadable.remove(election);
		}
		else if (this.unreadable.add(election)) {
			logger.log(Level.WARNING,
					"%s does not contain the record of an election, so no node can be elected: delete it while no node leads"
						.formatted(unreadable.location()));
		}
		this.tracker.saw(election, snapshot, now);
	}

	/** A watch has reported a record. */
	void watched(String election, RecordSnapshot snapshot) {
		saw(election, snapshot, this.nanos.getAsLong());
		if (snapshot instanceof Present present && present.record().holder() == null) {
			this.vacant.put(election, present);
		}
		else {
			this.vacant.remove(election);
		}
	}

	/**
	 * The record that a watch has reported last, if it had no holder. It may be out of
	 * date, so no candidate is refused because of it.
	 */
	Optional<Present> takeVacant(String election) {
		return Optional.ofNullable(this.vacant.remove(election));
	}

}
