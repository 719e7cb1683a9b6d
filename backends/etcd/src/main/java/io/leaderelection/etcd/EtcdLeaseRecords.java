package io.leaderelection.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import org.jspecify.annotations.Nullable;

import io.leaderelection.etcd.Etcd.SessionGoneException;
import io.leaderelection.etcd.HeartbeatSessions.Session;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.HeartbeatRecords;
import io.leaderelection.store.observed.HeartbeatSnapshot;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.LeaseRecordFormat;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.RecordSnapshot.Absent;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.RecordSnapshot.Unreadable;
import io.leaderelection.store.observed.WriteResult;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Unknown;
import io.leaderelection.store.observed.WriteResult.Written;

/**
 * Keeps each record in a key. All requests are transactions, which jetcd does not repeat
 * if their outcome is unknown. The version of a record is revision and value, since
 * revisions start again when a data directory was replaced.
 */
final class EtcdLeaseRecords implements HeartbeatRecords {

	static final LeaseRecordFormat FORMAT = new LeaseRecordFormat("format", '=', Keys::encode, Keys::decode);

	private final Client client;

	private final Keys keys;

	private final HeartbeatSessions sessions;

	private final RecordWatch watch;

	private final Runnable closing;

	/** What is registered, by node, with the session that the registration ends with. */
	private final Map<Owner, Registration> registrations = new ConcurrentHashMap<>();

	EtcdLeaseRecords(Client client, String prefix, Duration connectTimeout, Runnable closing) {
		this.client = client;
		this.keys = new Keys(prefix);
		this.closing = closing;
		this.sessions = new HeartbeatSessions(client, this.keys, connectTimeout);
		this.watch = new RecordWatch(client, this.keys, this.sessions);
	}

	@Override
	public String heartbeat(Duration lease, Duration limit) {
		return this.sessions.session(lease).id();
	}

	@Override
	public Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit) {
		Optional<Session> own = this.sessions.present();
		List<ByteSequence> wanted = new ArrayList<>();
		elections.forEach((election) -> wanted.add(this.keys.record(election)));
		heartbeats.forEach((heartbeat) -> wanted.add(this.keys.heartbeat(heartbeat)));
		own.ifPresent((session) -> wanted.add(session.key()));
		List<KeySnapshot> seen = Etcd.within(this.client, limit).read(wanted);
		List<RecordSnapshot> records = new ArrayList<>(elections.size());
		for (int i = 0; i < elections.size(); i++) {
			records.add(record(this.keys, elections.get(i), seen.get(i)));
		}
		List<HeartbeatSnapshot> read = new ArrayList<>(heartbeats.size());
		for (String heartbeat : heartbeats) {
			read.add(heartbeat(heartbeat, seen.get(elections.size() + read.size())));
		}
		own.filter((session) -> seen.get(seen.size() - 1).isNothing())
			.ifPresent((session) -> this.sessions.isGone(session.id()));
		return new Snapshots(records, read);
	}

	static RecordSnapshot record(Keys keys, String election, KeySnapshot seen) {
		if (seen.value() == null) {
			return new Absent();
		}
		try {
			LeaseRecord record = FORMAT.read(seen.value().getBytes());
			if (record.holder() != null && record.heartbeat() == null) {
				throw new IllegalArgumentException("A holder has a session");
			}
			return new Present(record, seen);
		}
		catch (IllegalArgumentException ex) {
			return new Unreadable("The key '%s'".formatted(keys.record(election)), seen);
		}
	}

	static HeartbeatSnapshot heartbeat(String id, KeySnapshot seen) {
		return new HeartbeatSnapshot(id, seen.isNothing() ? null : seen);
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		Etcd etcd = Etcd.within(this.client, limit);
		Map<ConditionalWrite, CompletableFuture<WriteResult>> answers = new LinkedHashMap<>();
		writes.forEach((write) -> answers.put(write, null));
		List<ConditionalWrite> heartbeats = writes.stream().filter(ConditionalWrite::isHeartbeat).toList();
		// one more condition is that the heartbeat exists
		int most = Etcd.OPERATIONS_PER_REQUEST - 1;
		for (int i = 0; i < heartbeats.size(); i += most) {
			List<ConditionalWrite> part = heartbeats.subList(i, Math.min(i + most, heartbeats.size()));
			CompletableFuture<Optional<Long>> answer = beat(etcd, part);
			part.forEach((write) -> answers.put(write, answer
				.thenApply((revision) -> revision.isPresent() ? new Written(version(write)) : new Conflict())));
		}
		writes.stream()
			.filter((write) -> !write.isHeartbeat())
			.forEach((write) -> answers.put(write, send(etcd, write)));
		return writes.stream().map((write) -> result(etcd, write, answers.get(write))).toList();
	}

	/** Renews all of these leases, or none. */
	private CompletableFuture<Optional<Long>> beat(Etcd etcd, List<ConditionalWrite> part) {
		String id = Objects.requireNonNull(part.get(0).next().heartbeat());
		Optional<Session> session = this.sessions.present().filter((present) -> present.id().equals(id));
		if (session.isEmpty()) {
			return CompletableFuture.completedFuture(Optional.empty());
		}
		List<Cmp> conditions = new ArrayList<>();
		part.forEach(
				(write) -> conditions.add(KeySnapshot.has(this.keys.record(write.election()), bytes(write.next()))));
		conditions.add(session.get().exists());
		return etcd.commit(conditions, List.of(session.get().beat()));
	}

	private CompletableFuture<WriteResult> send(Etcd etcd, ConditionalWrite write) {
		LeaseRecord next = write.next();
		List<Cmp> conditions = new ArrayList<>(expected(write).unchanged(this.keys.record(write.election())));
		write.expectedHeartbeat().ifPresent((heartbeat) -> {
			KeySnapshot seen = (heartbeat.version() != null) ? (KeySnapshot) heartbeat.version() : KeySnapshot.NOTHING;
			conditions.addAll(seen.unchanged(this.keys.heartbeat(heartbeat.id())));
		});
		List<Op> operations = new ArrayList<>();
		operations.add(Op.put(this.keys.record(write.election()), bytes(next), PutOption.DEFAULT));
		if (next.heartbeat() != null) {
			conditions.add(KeySnapshot.present(this.keys.heartbeat(next.heartbeat())));
		}
		if (next.holder() != null) {
			operations.add(withdrawal(write.election(), next.holder()));
		}
		return etcd.commit(conditions, operations).thenApply((revision) -> {
			if (revision.isEmpty()) {
				return new Conflict();
			}
			if (next.holder() != null) {
				Registration registration = this.registrations.get(next.holder());
				if (registration != null) {
					registration.elections.remove(write.election());
				}
			}
			return new Written(new KeySnapshot(revision.get(), bytes(next)));
		});
	}

	private WriteResult result(Etcd etcd, ConditionalWrite write, @Nullable CompletableFuture<WriteResult> answer) {
		try {
			return etcd.await(Objects.requireNonNull(answer));
		}
		catch (SessionGoneException ex) {
			// the next round begins another heartbeat
			this.sessions.isGone(Objects.requireNonNullElse(write.next().heartbeat(), ""));
			return new Conflict();
		}
		catch (EtcdLeaseStoreException ex) {
			return new Unknown(ex);
		}
	}

	private static KeySnapshot expected(ConditionalWrite write) {
		return (write.expected() instanceof Absent) ? KeySnapshot.NOTHING : version(write);
	}

	private static KeySnapshot version(ConditionalWrite write) {
		return (KeySnapshot) ((write.expected() instanceof Unreadable unreadable) ? unreadable.version()
				: ((Present) write.expected()).version());
	}

	private static ByteSequence bytes(LeaseRecord record) {
		return ByteSequence.from(FORMAT.write(record));
	}

	/** Each registration is a key that ends with the session of its node. */
	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		Registration before = this.registrations.get(node);
		List<Op> operations = new ArrayList<>();
		Set<String> former = (before != null) ? before.elections : Set.of();
		former.stream()
			.filter((election) -> !elections.contains(election))
			.forEach((election) -> operations.add(withdrawal(election, node)));
		if (elections.isEmpty()) {
			Etcd.within(this.client, limit).commitAll(operations);
			this.registrations.remove(node);
			return;
		}
		Session session = this.sessions.session(duration.dividedBy(2));
		boolean same = before != null && before.session.equals(session.id());
		elections.stream()
			.filter((election) -> !same || !former.contains(election))
			.forEach((election) -> operations
				.add(session.attached(this.keys.candidate(election, node), Keys.bytes(""))));
		Etcd.within(this.client, limit).commitAll(operations);
		Set<String> registered = ConcurrentHashMap.newKeySet();
		registered.addAll(elections);
		this.registrations.put(node, new Registration(session.id(), registered));
	}

	private Op withdrawal(String election, Owner node) {
		return Op.delete(this.keys.candidate(election, node), DeleteOption.DEFAULT);
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		Set<Owner> candidates = new HashSet<>();
		for (KeyValue key : Etcd.within(this.client, limit).list(this.keys.candidates(election))) {
			Keys.ownerOf(key.getKey()).ifPresent(candidates::add);
		}
		return List.copyOf(candidates);
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		this.watch.add(watcher);
		return Optional.of(() -> this.watch.remove(watcher));
	}

	@Override
	public List<String> limits() {
		return List.of(
				"A restored snapshot or an emptied data directory brings back old leases or none: nodes that have seen "
						+ "newer ones wait for their end, nodes that start meanwhile do not, and tokens go on by the clocks "
						+ "of the nodes.",
				"A crashed leader is replaced one lease after its last renewal was seen, not when its etcd lease ends.");
	}

	@Override
	public void close() {
		this.watch.close();
		this.sessions.close();
		this.closing.run();
	}

	private record Registration(String session, Set<String> elections) {
	}

}
