package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.leaderelection.store.LeaseStore;

/**
 * Records whose changes are shown when a test wants it.
 */
final class Watched extends ForwardingRecords {

	private Watcher watcher;

	Watched(RecordsInMemory records) {
		super(records);
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		this.watcher = watcher;
		return Optional.of(() -> this.watcher = null);
	}

	void show(String election) {
		this.watcher.saw(election, read(List.of(election), Duration.ofSeconds(1)).get(0));
	}

	void missSome() {
		this.watcher.mayHaveMissed();
	}

}
