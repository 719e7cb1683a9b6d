package io.leaderelection.observed;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.leaderelection.store.Owner;

/**
 * Other records, which nobody can watch.
 */
public class UnwatchedRecords implements LeaseRecords {

	private final LeaseRecords records;

	public UnwatchedRecords(LeaseRecords records) {
		this.records = records;
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

	@Override
	public void rehearse(Owner owner) {
		this.records.rehearse(owner);
	}

	@Override
	public void close() {
		this.records.close();
	}

}
