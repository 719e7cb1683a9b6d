package io.leaderelection.observed;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;

/**
 * Records whose changes are shown when a test wants it.
 */
final class Watched implements LeaseRecords {

	private final RecordsInMemory records;

	private Watcher watcher;

	Watched(RecordsInMemory records) {
		this.records = records;
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		this.watcher = watcher;
		return Optional.of(() -> this.watcher = null);
	}

	void show(String election) {
		this.watcher.saw(election, this.records.read(List.of(election), Duration.ofSeconds(1)).get(0));
	}

	void missSome() {
		this.watcher.mayHaveMissed();
	}

	@Override
	public List<Sight> read(List<String> elections, Duration limit) {
		return this.records.read(elections, limit);
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		return this.records.write(writes, limit);
	}

	@Override
	public void standBy(Owner node, Set<String> elections, Duration duration, Duration limit) {
		this.records.standBy(node, elections, duration, limit);
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return this.records.candidates(election, limit);
	}

}
