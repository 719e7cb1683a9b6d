package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.observed.HeartbeatRecords;
import io.leaderelection.store.observed.RecordSnapshot;

/**
 * Records that one heartbeat of a process renews. The heartbeat ends with a session, and
 * the process learns it from the next answer.
 */
final class SimulatedHeartbeats extends SimulatedRecords implements HeartbeatRecords {

	private final String name;

	private int begun;

	private @Nullable String present;

	SimulatedHeartbeats(SimulatedNetwork network, SimulatedProcess process, RecordServer server) {
		super(network, process, server);
		this.name = process.name();
	}

	@Override
	public String heartbeat(Duration lease, Duration limit) {
		if (this.present == null) {
			String next = "%s heartbeat %d".formatted(this.name, ++this.begun);
			ask(limit, () -> {
				server().beat(next);
				return true;
			});
			this.present = next;
		}
		return this.present;
	}

	@Override
	public Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit) {
		String own = this.present;
		boolean[] gone = new boolean[1];
		Snapshots snapshots = ask(limit, () -> {
			gone[0] = own != null && server().heartbeat(own).version() == null;
			return server().read(elections, heartbeats);
		});
		if (gone[0] && own.equals(this.present)) {
			this.present = null;
		}
		return snapshots;
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return HeartbeatRecords.super.read(elections, limit);
	}

	@Override
	void endSession() {
		if (this.present != null) {
			server().endHeartbeat(this.present);
		}
	}

}
