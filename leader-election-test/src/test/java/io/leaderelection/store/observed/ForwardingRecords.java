package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.leaderelection.store.Owner;

/**
 * Records that forward to others, without a watch.
 */
class ForwardingRecords implements LeaseRecords {

	private final LeaseRecords records;

	ForwardingRecords(LeaseRecords records) {
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
