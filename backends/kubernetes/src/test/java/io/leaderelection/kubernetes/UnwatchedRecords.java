package io.leaderelection.kubernetes;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.WriteResult;

/**
 * Other records, which nobody can watch.
 */
final class UnwatchedRecords implements LeaseRecords {

	private final LeaseRecords records;

	UnwatchedRecords(LeaseRecords records) {
		this.records = records;
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return this.records.read(elections, limit);
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		return this.records.write(writes, limit);
	}

	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		this.records.registerCandidate(node, elections, duration, limit);
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return this.records.candidates(election, limit);
	}

	@Override
	public void close() {
		this.records.close();
	}

}
