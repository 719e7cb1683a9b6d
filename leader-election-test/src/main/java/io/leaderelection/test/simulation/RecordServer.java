package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.store.AcquireResult.Granted;
import io.leaderelection.store.AcquireRequest;
import io.leaderelection.store.Lease;
import io.leaderelection.store.LeaseView;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.HeartbeatRecords.Snapshots;
import io.leaderelection.store.observed.HeartbeatSnapshot;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.RecordSnapshot.Absent;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Written;

/**
 * The server of a store without a clock: records, heartbeats, and those who watch them.
 * The referee sees every write.
 */
final class RecordServer {

	private final World world;

	private final Tampering tampering;

	private final Map<String, RecordSnapshot> records = new HashMap<>();

	private final Map<String, Long> heartbeats = new HashMap<>();

	private final Map<Owner, Registration> candidates = new HashMap<>();

	private final List<SimulatedRecords> watchers = new ArrayList<>();

	private Referee referee;

	private long version;

	RecordServer(World world, Tampering tampering) {
		this.world = world;
		this.tampering = tampering;
	}

	void watchedBy(Referee referee) {
		this.referee = referee;
	}

	Snapshots read(List<String> elections, Collection<String> heartbeats) {
		return new Snapshots(elections.stream().map(this::record).toList(),
				heartbeats.stream().map(this::heartbeat).toList());
	}

	private RecordSnapshot record(String election) {
		return this.records.getOrDefault(election, new Absent());
	}

	HeartbeatSnapshot heartbeat(String id) {
		return new HeartbeatSnapshot(id, this.heartbeats.get(id));
	}

	List<WriteResult> write(SimulatedProcess process, List<ConditionalWrite> writes, boolean release) {
		boolean alive = writes.stream()
			.filter(ConditionalWrite::isHeartbeat)
			.allMatch((write) -> isMet(write) && this.heartbeats.containsKey(write.next().heartbeat()));
		List<WriteResult> results = new ArrayList<>(writes.size());
		for (ConditionalWrite write : writes) {
			boolean written = write.isHeartbeat() ? alive : isMet(write);
			results.add(written ? apply(process, write, release) : new Conflict());
		}
		if (alive) {
			writes.stream().filter(ConditionalWrite::isHeartbeat).findFirst().ifPresent(this::renewAll);
		}
		return results;
	}

	/** One heartbeat renews every lease whose record names it. */
	private void renewAll(ConditionalWrite write) {
		String heartbeat = write.next().heartbeat();
		beat(heartbeat);
		this.records.forEach((election, snapshot) -> {
			if (snapshot instanceof Present present && heartbeat.equals(present.record().heartbeat())) {
				LeaseRecord record = present.record();
				this.referee.renewed(new Lease(election, record.holder(), record.token(), record.duration()),
						view(election));
			}
		});
	}

	private boolean isMet(ConditionalWrite write) {
		boolean unbeaten = write.expectedHeartbeat()
			.filter((expected) -> !heartbeat(expected.id()).equals(expected))
			.isEmpty();
		return this.tampering.isMet(write, record(write.election()).equals(write.expected()), unbeaten);
	}

	private WriteResult apply(SimulatedProcess process, ConditionalWrite write, boolean release) {
		Optional<LeaseView> before = view(write.election());
		LeaseRecord next = write.next();
		if (next.holder() != null) {
			Lease lease = new Lease(write.election(), next.holder(), next.token(), next.duration());
			if (record(write.election()) instanceof Present present && present.record().holder() != null
					&& !present.record().holder().equals(next.holder())) {
				this.referee.takenOver(new Lease(write.election(), present.record().holder(), present.record().token(),
						present.record().duration()), next.holder());
			}
			if (this.referee.isGranted(lease)) {
				this.referee.renewed(lease, before);
			}
			else {
				this.referee.granted(new AcquireRequest(write.election(), next.holder(), next.duration(), 0, true),
						new Granted(next.token(), next.duration()));
			}
		}
		else if (write.expected() instanceof Present present && present.record().holder() != null) {
			LeaseRecord record = present.record();
			Lease lease = new Lease(write.election(), record.holder(), record.token(), record.duration());
			if (release) {
				this.referee.givenUp(process, lease, before);
			}
			else {
				this.referee.abandoned(process, lease);
			}
		}
		if (write.isHeartbeat()) {
			return new Written(((Present) write.expected()).version());
		}
		return new Written(put(write.election(), next));
	}

	private Object put(String election, LeaseRecord record) {
		Present present = new Present(record, ++this.version);
		this.records.put(election, present);
		this.watchers.forEach((watcher) -> watcher.show(election, present));
		return present.version();
	}

	/** Begins a heartbeat, or writes it again. */
	void beat(String id) {
		this.heartbeats.put(id, ++this.version);
		HeartbeatSnapshot heartbeat = heartbeat(id);
		this.watchers.forEach((watcher) -> watcher.show(heartbeat));
	}

	void endHeartbeat(String id) {
		this.heartbeats.remove(id);
	}

	void register(Owner owner, Set<String> elections, Duration duration) {
		this.candidates.put(owner, new Registration(elections, this.world.now() + duration.toNanos()));
	}

	List<Owner> candidates(String election) {
		this.candidates.values().removeIf((registration) -> registration.ends < this.world.now());
		return this.candidates.keySet()
			.stream()
			.filter((owner) -> this.candidates.get(owner).elections.contains(election))
			.toList();
	}

	void watch(SimulatedRecords watcher) {
		this.watchers.add(watcher);
	}

	void unwatch(SimulatedRecords watcher) {
		this.watchers.remove(watcher);
	}

	/** What the record contains, whether the lease has ended or not. */
	Optional<LeaseView> view(String election) {
		return (record(election) instanceof Present present)
				? Optional.of(new LeaseView(Optional.ofNullable(present.record().holder()), present.record().token(),
						Duration.ZERO, List.of()))
				: Optional.empty();
	}

	/** Frees a lease, whoever holds it. */
	void evict(String election) {
		if (record(election) instanceof Present present) {
			put(election, new LeaseRecord(present.record().token(), present.record().duration(), null, null, null));
		}
	}

	private record Registration(Set<String> elections, long ends) {
	}

}
