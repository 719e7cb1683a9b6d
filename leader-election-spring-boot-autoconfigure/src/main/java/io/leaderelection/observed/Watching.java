package io.leaderelection.observed;

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.store.WakeUps;

/**
 * Makes hints of changes that a store shows, and takes note of when they were seen.
 */
final class Watching implements LeaseRecords.Watcher {

	private final Looks looks;

	private final WakeUps wakeUps;

	Watching(Looks looks, WakeUps wakeUps) {
		this.looks = looks;
		this.wakeUps = wakeUps;
	}

	@Override
	public void saw(String election, Sight sight) {
		this.looks.saw(election, sight);
		if (sight instanceof Present present && present.record().holder() == null) {
			this.wakeUps.wakeUp(election);
		}
	}

	@Override
	public void mayHaveMissed() {
		this.wakeUps.wakeUpAll();
	}

}
