package io.leaderelection.store.observed;

import java.time.Duration;

import io.leaderelection.store.WakeUps;
import io.leaderelection.store.observed.RecordSnapshot.Absent;
import io.leaderelection.store.observed.RecordSnapshot.Present;

/**
 * Turns changes that a store reports into wake-ups, and takes note of when they were
 * seen.
 */
final class RecordWatcher implements LeaseRecords.Watcher {

	private final ObservedLeaseStore store;

	private final WakeUps wakeUps;

	RecordWatcher(ObservedLeaseStore store, WakeUps wakeUps) {
		this.store = store;
		this.wakeUps = wakeUps;
	}

	@Override
	public void saw(String election, RecordSnapshot snapshot) {
		this.store.reader().watched(election, snapshot);
		boolean vacant = snapshot instanceof Present present && present.record().holder() == null;
		if (vacant || snapshot instanceof Absent) {
			this.wakeUps.wakeUp(election);
		}
	}

	@Override
	public void sawHeartbeat(HeartbeatSnapshot heartbeat) {
		this.store.tracker().sawHeartbeat(heartbeat, this.store.now());
	}

	@Override
	public void mayBeFree(String election, Duration turn) {
		this.wakeUps.wakeUp(election, turn);
	}

	@Override
	public void mayHaveMissed() {
		this.wakeUps.wakeUpAll();
	}

}
