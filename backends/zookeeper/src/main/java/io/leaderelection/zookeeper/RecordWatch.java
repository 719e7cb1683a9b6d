package io.leaderelection.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Predicate;

import io.leaderelection.store.Owner;
import io.leaderelection.store.observed.LeaseRecord;
import io.leaderelection.store.observed.LeaseRecords.Watcher;
import io.leaderelection.store.observed.RecordSnapshot;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.zookeeper.Paths.Candidate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * One watch of a node for all elections. When a record changes, the candidate that is
 * next in line reads it at once, and the others ask if that one has not taken the lease.
 * Only the next in line watches the holder's heartbeats, so that it knows the end of the
 * lease to the moment and the cost of a heartbeat does not grow with the candidates.
 */
final class RecordWatch implements org.apache.zookeeper.Watcher {

	private static final Log logger = LogFactory.getLog(RecordWatch.class);

	/** The next in line takes a lease in this time, if the servers are not far away. */
	private static final Duration TURN = Duration.ofMillis(25);

	private final Paths paths;

	private final Predicate<Owner> own;

	private final BiFunction<Session, String, CompletableFuture<RecordSnapshot>> reader;

	private final List<Watcher> watchers = new CopyOnWriteArrayList<>();

	private final Map<String, Line> lines = new ConcurrentHashMap<>();

	private final Set<String> writing = ConcurrentHashMap.newKeySet();

	private final Set<Followed> followed = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Session watched;

	/**
	 * A watch that is not yet begun.
	 * @param paths where records are
	 * @param own which candidates are of this node
	 * @param reader reads a record
	 */
	RecordWatch(Paths paths, Predicate<Owner> own,
			BiFunction<Session, String, CompletableFuture<RecordSnapshot>> reader) {
		this.paths = paths;
		this.own = own;
		this.reader = reader;
	}

	void add(Watcher watcher, Session session) {
		this.watchers.add(watcher);
		watch(session);
	}

	void remove(Watcher watcher) {
		if (this.watchers.remove(watcher) && this.watchers.isEmpty()) {
			close();
		}
	}

	synchronized void close() {
		this.watchers.clear();
		if (this.watched != null) {
			this.watched.unwatchAll(this.paths.elections(), this);
			this.watched = null;
		}
	}

	/** Watches in this session, unless that is so already or not wanted. */
	void watch(Session session) {
		if (this.watched == session || !begins(session)) {
			return;
		}
		session.watchAll(this.paths.elections(), this).thenAccept((begun) -> {
			if (begun) {
				mayHaveMissed();
			}
			else if (isWatched(session)) {
				logger.debug("Elections in ZooKeeper cannot be watched; the next call tries again");
				this.watched = null;
			}
		});
	}

	private synchronized boolean begins(Session session) {
		if (this.watched == session || this.watchers.isEmpty()) {
			return false;
		}
		this.watched = session;
		this.followed.clear();
		return true;
	}

	private boolean isWatched(Session session) {
		return this.watched == session;
	}

	void mayHaveMissed() {
		this.watchers.forEach(Watcher::mayHaveMissed);
	}

	/** A record is being written by this node, which needs no notice of it. */
	void writing(String election) {
		this.writing.add(election);
	}

	void written(String election) {
		this.writing.remove(election);
	}

	/** Takes note of an election that was read. */
	void saw(String election, RecordSnapshot snapshot, List<String> children) {
		LeaseRecord record = (snapshot instanceof Present present) ? present.record() : null;
		Line line = new Line(Candidate.among(children), (record != null) ? record.holder() : null,
				(record != null) ? record.heartbeat() : null);
		this.lines.put(election, line);
		follow(line);
	}

	@Override
	public void process(WatchedEvent event) {
		Session session = this.watched;
		if (event.getType() == EventType.None || session == null) {
			return;
		}
		String path = event.getPath();
		this.paths.electionOf(path).ifPresent((election) -> {
			if (path.equals(this.paths.record(election))) {
				recordChanged(session, election);
			}
			else {
				Candidate.parse(Paths.name(path))
					.ifPresent((candidate) -> candidateChanged(election, candidate, event.getType()));
			}
		});
	}

	private void recordChanged(Session session, String election) {
		Line line = this.lines.get(election);
		if (line == null || this.writing.contains(election)) {
			return;
		}
		if (line.next().map(Candidate::owner).filter(this.own.negate()).isPresent()) {
			mayBeFree(election);
			return;
		}
		this.reader.apply(session, election).whenComplete((snapshot, failure) -> {
			if (failure == null) {
				this.watchers.forEach((watcher) -> watcher.saw(election, snapshot));
			}
			else {
				// the candidate asks itself, and reports what is wrong
				mayBeFree(election);
			}
		});
	}

	private void mayBeFree(String election) {
		this.watchers.forEach((watcher) -> watcher.mayBeFree(election, TURN));
	}

	private void candidateChanged(String election, Candidate candidate, EventType change) {
		Line changed = this.lines.computeIfPresent(election,
				(name, line) -> line.with(candidate, change == EventType.NodeCreated));
		if (changed != null) {
			follow(changed);
		}
	}

	private void follow(Line line) {
		Session session = this.watched;
		if (session != null && line.heartbeat() != null && isNext(line)) {
			follow(new Followed(session, line.heartbeat()));
		}
	}

	private boolean isNext(Line line) {
		return line.next().map(Candidate::owner).filter(this.own).isPresent();
	}

	private void follow(Followed heartbeat) {
		if (!this.followed.add(heartbeat)) {
			return;
		}
		String id = heartbeat.id();
		heartbeat.session().watch(this.paths.heartbeat(id), (event) -> {
			if (event.getType() != EventType.None && this.followed.remove(heartbeat) && isWatched(heartbeat.session())
					&& this.lines.values().stream().anyMatch((line) -> id.equals(line.heartbeat()) && isNext(line))) {
				follow(heartbeat);
			}
		}).whenComplete((stat, failure) -> {
			if (failure != null || stat.isEmpty()) {
				this.followed.remove(heartbeat);
			}
			if (failure == null) {
				this.watchers
					.forEach((watcher) -> watcher.sawHeartbeat(ZooKeeperLeaseRecords.heartbeat(id, stat.orElse(null))));
			}
		});
	}

	/**
	 * Those who want a lease, as far as this node has seen them.
	 */
	private record Line(List<Candidate> candidates, @Nullable Owner holder, @Nullable String heartbeat) {

		Optional<Candidate> next() {
			return this.candidates.stream()
				.filter((candidate) -> !candidate.owner().equals(this.holder))
				.min(Candidate.IN_LINE);
		}

		Line with(Candidate candidate, boolean present) {
			List<Candidate> others = new ArrayList<>(this.candidates);
			others.remove(candidate);
			if (present) {
				others.add(candidate);
			}
			return new Line(List.copyOf(others), this.holder, this.heartbeat);
		}

	}

	private record Followed(Session session, String id) {
	}

}
