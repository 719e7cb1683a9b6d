package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Written;

/**
 * One node's access to records in this process, which proves by one heartbeat that it
 * lives.
 */
final class HeartbeatsInMemory extends ForwardingRecords implements HeartbeatRecords {

	private final RecordsInMemory records;

	private String heartbeat = "none yet";

	HeartbeatsInMemory(RecordsInMemory records) {
		super(records);
		this.records = records;
	}

	@Override
	public String heartbeat(Duration lease, Duration limit) {
		if (this.records.heartbeat(this.heartbeat).version() == null) {
			this.heartbeat = UUID.randomUUID().toString();
			this.records.beat(this.heartbeat);
		}
		return this.heartbeat;
	}

	@Override
	public Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit) {
		return new Snapshots(elections.isEmpty() ? List.of() : super.read(elections, limit),
				heartbeats.stream().map(this.records::heartbeat).toList());
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return HeartbeatRecords.super.read(elections, limit);
	}

}
