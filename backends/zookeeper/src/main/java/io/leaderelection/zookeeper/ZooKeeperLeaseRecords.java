package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

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
import io.leaderelection.zookeeper.Paths.Candidate;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each record in a node that is changed only by a transaction conditional on its
 * version. Versions start again when a node is deleted and created again, so each record
 * has an identity, which is part of its version: a node below it with a name of its own.
 */
final class ZooKeeperLeaseRecords implements HeartbeatRecords {

	static final LeaseRecordFormat FORMAT = new LeaseRecordFormat("leader-election", ' ', Paths::encode, Paths::decode);

	/** A node without data, as people and earlier versions create them. */
	private static final LeaseRecord NEVER_HELD = new LeaseRecord(0, Duration.ofMillis(1), null, null, null);

	private static final int ELECTIONS_PER_REQUEST = 100;

	/** Well below the megabyte at which a server closes the connection. */
	private static final int PATH_CHARACTERS_PER_REQUEST = 200_000;

	private final Paths paths;

	private final HeartbeatSessions sessions;

	private final RecordWatch watch;

	private final Runnable closing;

	/** What is registered, by node, with the session that the registration ends with. */
	private final Map<Owner, Registration> registrations = new ConcurrentHashMap<>();

	ZooKeeperLeaseRecords(Supplier<CuratorFramework> client, Paths paths, ACLProvider acls, Runnable closing) {
		this.paths = paths;
		this.closing = closing;
		this.watch = new RecordWatch(paths, this.registrations::containsKey, this::read);
		this.sessions = new HeartbeatSessions(client, paths, acls, this.watch::mayHaveMissed);
	}

	private Session session() {
		Session session = this.sessions.session();
		this.watch.watch(session);
		return session;
	}

	@Override
	public String heartbeat(Duration lease, Duration limit) {
		return this.sessions.heartbeat(lease, limit);
	}

	@Override
	public Snapshots read(List<String> elections, Collection<String> heartbeats, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		Session session = session();
		Optional<String> own = this.sessions.present();
		List<String> wanted = new ArrayList<>(heartbeats);
		own.ifPresent(wanted::add);
		if (!elections.isEmpty()) {
			session.catchUp(this.paths.elections());
		}
		List<CompletableFuture<Snapshots>> answers = new ArrayList<>();
		int next = 0;
		for (; elections.size() - next > ELECTIONS_PER_REQUEST; next += ELECTIONS_PER_REQUEST) {
			answers.add(read(session, elections.subList(next, next + ELECTIONS_PER_REQUEST), List.of()));
		}
		answers.add(read(session, elections.subList(next, elections.size()), wanted));
		List<RecordSnapshot> records = new ArrayList<>(elections.size());
		List<HeartbeatSnapshot> read = new ArrayList<>(wanted.size());
		for (CompletableFuture<Snapshots> answer : answers) {
			Snapshots part = Session.await(answer, deadline);
			records.addAll(part.records());
			read.addAll(part.heartbeats());
		}
		own.filter((id) -> read.get(heartbeats.size()).version() == null).ifPresent(this.sessions::isGone);
		return new Snapshots(records, read.subList(0, heartbeats.size()));
	}

	private CompletableFuture<RecordSnapshot> read(Session session, String election) {
		return read(session, List.of(election), List.of()).thenApply((read) -> read.records().get(0));
	}

	private CompletableFuture<Snapshots> read(Session session, List<String> elections, List<String> heartbeats) {
		List<Op> reads = new ArrayList<>();
		for (String election : elections) {
			// the identity first, so that it is not newer than the record
			reads.add(Op.getChildren(this.paths.record(election)));
			reads.add(Op.getData(this.paths.record(election)));
		}
		heartbeats.forEach((id) -> reads.add(Op.getData(this.paths.heartbeat(id))));
		return session.send(reads).thenApply((results) -> {
			List<RecordSnapshot> records = new ArrayList<>(elections.size());
			for (int i = 0; i < elections.size(); i++) {
				records.add(record(elections.get(i), results.get(2 * i), results.get(2 * i + 1)));
			}
			List<HeartbeatSnapshot> read = new ArrayList<>(heartbeats.size());
			for (OpResult result : results.subList(2 * elections.size(), results.size())) {
				read.add(heartbeat(heartbeats.get(read.size()),
						(result instanceof OpResult.GetDataResult node) ? node.getStat() : null));
			}
			return new Snapshots(records, read);
		});
	}

	private RecordSnapshot record(String election, OpResult children, OpResult data) {
		List<String> names = names(children);
		RecordSnapshot snapshot = (data instanceof OpResult.GetDataResult node) ? record(election,
				new Version(Paths.identity(names).orElse(null), node.getStat().getVersion()), node.getData())
				: new Absent();
		this.watch.saw(election, snapshot, names);
		return snapshot;
	}

	private RecordSnapshot record(String election, Version version, byte @Nullable [] data) {
		if (data == null || data.length == 0) {
			return new Present(NEVER_HELD, version);
		}
		try {
			LeaseRecord record = FORMAT.read(data);
			if (record.holder() != null && !Paths.isHeartbeat(record.heartbeat())) {
				throw new IllegalArgumentException("A holder has a heartbeat");
			}
			return new Present(record, version);
		}
		catch (IllegalArgumentException ex) {
			return new Unreadable("The node '%s'".formatted(this.paths.record(election)), version);
		}
	}

	static HeartbeatSnapshot heartbeat(String id, @Nullable Stat stat) {
		return new HeartbeatSnapshot(id, (stat != null) ? new Beat(stat.getMzxid(), stat.getVersion()) : null);
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		Session session = session();
		if (writes.stream().anyMatch((write) -> write.expected() instanceof Absent)) {
			session.createParents(this.paths.record(writes.get(0).election()));
		}
		Map<ConditionalWrite, CompletableFuture<WriteResult>> answers = new IdentityHashMap<>();
		List<ConditionalWrite> batch = new ArrayList<>();
		int characters = 0;
		for (ConditionalWrite write : writes) {
			if (!write.isHeartbeat()) {
				answers.put(write, send(session, write));
				continue;
			}
			if (characters > PATH_CHARACTERS_PER_REQUEST) {
				answers.putAll(beat(session, batch));
				batch.clear();
				characters = 0;
			}
			batch.add(write);
			characters += 2 * this.paths.record(write.election()).length();
		}
		if (!batch.isEmpty()) {
			answers.putAll(beat(session, batch));
		}
		return writes.stream().map((write) -> result(Objects.requireNonNull(answers.get(write)), deadline)).toList();
	}

	/** Renews all of these leases, or none. */
	private Map<ConditionalWrite, CompletableFuture<WriteResult>> beat(Session session, List<ConditionalWrite> batch) {
		String id = Objects.requireNonNull(batch.get(0).next().heartbeat());
		List<Op> operations = new ArrayList<>();
		for (ConditionalWrite write : batch) {
			Version version = version(write);
			operations.add(Op.check(this.paths.record(write.election()), version.number()));
			if (version.identity() != null) {
				operations.add(Op.check(this.paths.identity(write.election(), version.identity()), -1));
			}
		}
		operations.add(Session.beat(this.paths.heartbeat(id)));
		CompletableFuture<Boolean> answer = this.sessions.present().filter(id::equals).isPresent()
				? session.commit(operations) : CompletableFuture.completedFuture(false);
		Map<ConditionalWrite, CompletableFuture<WriteResult>> answers = new IdentityHashMap<>();
		batch.forEach((write) -> answers.put(write,
				answer.thenApply((done) -> done ? new Written(version(write)) : new Conflict())));
		return answers;
	}

	private CompletableFuture<WriteResult> send(Session session, ConditionalWrite write) {
		String election = write.election();
		LeaseRecord next = write.next();
		boolean absent = write.expected() instanceof Absent;
		Version expected = absent ? new Version(null, -1) : version(write);
		List<Op> operations = new ArrayList<>();
		write.expectedHeartbeat().ifPresent((heartbeat) -> operations.addAll(unchanged(session, heartbeat)));
		if (next.heartbeat() != null) {
			operations.add(Op.check(this.paths.heartbeat(next.heartbeat()), -1));
		}
		String path = this.paths.record(election);
		byte[] data = FORMAT.write(next);
		operations.add(absent ? session.creation(path, data, CreateMode.PERSISTENT)
				: Op.setData(path, data, expected.number()));
		String identity = (expected.identity() != null) ? expected.identity() : Paths.newIdentity();
		String identityPath = this.paths.identity(election, identity);
		operations.add((expected.identity() != null) ? Op.check(identityPath, -1)
				: session.creation(identityPath, CreateMode.PERSISTENT));
		this.watch.writing(election);
		return session.commit(operations).handle((done, failure) -> {
			this.watch.written(election);
			if (failure != null) {
				throw new CompletionException(failure);
			}
			return done ? new Written(new Version(identity, expected.number() + 1)) : new Conflict();
		});
	}

	/**
	 * True only if there was no heartbeat since. If the heartbeat did not exist, a node
	 * can be created and deleted only if it still does not.
	 */
	private List<Op> unchanged(Session session, HeartbeatSnapshot heartbeat) {
		String path = this.paths.heartbeat(heartbeat.id());
		return (heartbeat.version() instanceof Beat beat) ? List.of(Op.check(path, beat.number()))
				: List.of(session.creation(path, CreateMode.EPHEMERAL), Op.delete(path, -1));
	}

	private static WriteResult result(CompletableFuture<WriteResult> answer, long deadline) {
		try {
			return Session.await(answer, deadline);
		}
		catch (ZooKeeperLeaseStoreException ex) {
			return new Unknown(ex);
		}
	}

	private static Version version(ConditionalWrite write) {
		return (Version) ((write.expected() instanceof Unreadable unreadable) ? unreadable.version()
				: ((Present) write.expected()).version());
	}

	/** Each registration is a node below the record that ends with the session. */
	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		Session session = session();
		Registration registration = this.registrations.compute(node, (owner, before) -> {
			boolean same = before != null && before.session == session;
			return same ? before : new Registration(session, new Candidate(owner, System.currentTimeMillis()),
					new ConcurrentHashMap<>());
		});
		Map<String, CompletableFuture<Code>> answers = new HashMap<>();
		registration.confirmed.keySet()
			.stream()
			.filter((election) -> !elections.contains(election))
			.forEach((election) -> answers.put(election,
					session.send(Op.delete(this.paths.candidate(election, registration.candidate), -1))));
		for (String election : elections) {
			if (!registration.confirmed.computeIfAbsent(election, (added) -> false)) {
				answers.put(election, session.send(session
					.creation(this.paths.candidate(election, registration.candidate), CreateMode.EPHEMERAL)));
			}
		}
		answers.forEach((election, answer) -> {
			boolean recorded = Session.await(answer, deadline) != Code.NONODE;
			if (elections.contains(election)) {
				// without a record there is nothing to be a candidate for yet
				registration.confirmed.put(election, recorded);
			}
			else {
				registration.confirmed.remove(election);
			}
		});
		if (elections.isEmpty()) {
			this.registrations.remove(node, registration);
		}
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		List<OpResult> results = Session.await(session().send(List.of(Op.getChildren(this.paths.record(election)))),
				System.nanoTime() + limit.toNanos());
		return Candidate.among(names(results.get(0))).stream().map(Candidate::owner).distinct().toList();
	}

	private static List<String> names(OpResult result) {
		return (result instanceof OpResult.GetChildrenResult known) ? known.getChildren() : List.of();
	}

	@Override
	public Optional<LeaseStore.Watch> watch(Watcher watcher) {
		this.watch.add(watcher, this.sessions.session());
		return Optional.of(() -> this.watch.remove(watcher));
	}

	@Override
	public List<String> limits() {
		return List
			.of("A crashed leader is replaced one lease after its last renewal was seen, not when its session ends.");
	}

	@Override
	public void close() {
		this.watch.close();
		this.sessions.close();
		this.closing.run();
	}

	/**
	 * The version of a record.
	 *
	 * @param identity tells it from one that was deleted; none if no store created it
	 * @param number counts its changes
	 */
	record Version(@Nullable String identity, int number) {
	}

	/** The version of a heartbeat, with the transaction that wrote it. */
	private record Beat(long zxid, int number) {
	}

	/** Whether each registration was answered. */
	private record Registration(Session session, Candidate candidate, Map<String, Boolean> confirmed) {
	}

}
