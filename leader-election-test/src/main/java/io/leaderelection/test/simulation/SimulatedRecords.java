package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.HeartbeatSnapshot;
import io.leaderelection.store.observed.LeaseRecords;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Unknown;

/**
 * The records as one process reaches them: each request is a message that may be lost,
 * late or doubled, and so is its answer.
 */
class SimulatedRecords implements LeaseRecords {

	private final SimulatedNetwork network;

	private final SimulatedProcess process;

	private final RecordServer server;

	private @Nullable Watcher watcher;

	SimulatedRecords(SimulatedNetwork network, SimulatedProcess process, RecordServer server) {
		this.network = network;
		this.process = process;
		this.server = server;
	}

	final RecordServer server() {
		return this.server;
	}

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return ask(limit, () -> this.server.read(elections, List.of()).records());
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		boolean release = this.network.isRelease();
		try {
			return ask(limit, () -> this.server.write(this.process, writes, release));
		}
		catch (LeaseStoreException ex) {
			return writes.stream().<WriteResult>map((write) -> new Unknown(ex)).toList();
		}
	}

	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		ask(limit, () -> {
			this.server.register(node, elections, duration);
			return true;
		});
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return ask(limit, () -> this.server.candidates(election));
	}

	final <T> T ask(Duration limit, Supplier<T> request) {
		Optional<T> answer = this.network.ask(limit, request);
		return answer.orElseThrow(() -> new LeaseStoreException("There is no answer"));
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		this.watcher = watcher;
		this.server.watch(this);
		return Optional.of(() -> this.server.unwatch(this));
	}

	void show(String election, RecordSnapshot snapshot) {
		Watcher present = this.watcher;
		if (present != null) {
			this.network.show(() -> present.saw(election, snapshot));
		}
	}

	void show(HeartbeatSnapshot heartbeat) {
		Watcher present = this.watcher;
		if (present != null) {
			this.network.show(() -> present.sawHeartbeat(heartbeat));
		}
	}

	/** Ends what a store would bind to the session of this process. */
	void endSession() {
	}

}
