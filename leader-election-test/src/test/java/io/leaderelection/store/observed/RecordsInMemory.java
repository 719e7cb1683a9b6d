package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Unknown;
import io.leaderelection.store.observed.WriteResult.Written;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * Records in this process, which can be changed, lost and kept from being answered.
 */
final class RecordsInMemory implements LeaseRecords {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition resumed = this.lock.newCondition();

	private final Map<String, RecordSnapshot> records = new HashMap<>();

	private final Map<String, Long> heartbeats = new HashMap<>();

	private final Map<Owner, Set<String>> standing = new HashMap<>();

	private final AtomicReference<Runnable> beforeNextWrite = new AtomicReference<>(() -> {
	});

	private UnaryOperator<WriteResult> answers = UnaryOperator.identity();

	private boolean paused;

	private boolean standByFails;

	private long version;

	private int reads;

	private int writes;

	private int standBys;

	@Override
	public List<RecordSnapshot> read(List<String> elections, Duration limit) {
		return answered(limit, () -> {
			this.reads++;
			return elections.stream().map(this::seen).toList();
		});
	}

	@Override
	public List<WriteResult> write(List<ConditionalWrite> writes, Duration limit) {
		this.beforeNextWrite.getAndSet(() -> {
		}).run();
		return answered(limit, () -> {
			List<WriteResult> results = new ArrayList<>();
			boolean alive = isAlive(writes);
			for (ConditionalWrite write : writes) {
				this.writes++;
				results.add(this.answers.apply(write(write, alive)));
			}
			return results;
		});
	}

	private WriteResult write(ConditionalWrite write, boolean alive) {
		if (!isMet(write) || (write.isHeartbeat() && !alive)) {
			return new Conflict();
		}
		if (write.isHeartbeat()) {
			this.heartbeats.put(write.next().heartbeat(), ++this.version);
			return new Written(((Present) write.expected()).version());
		}
		put(write.election(), write.next());
		return new Written(this.version);
	}

	/** One heartbeat is for all of these records or for none. */
	private boolean isAlive(List<ConditionalWrite> writes) {
		return writes.stream()
			.filter(ConditionalWrite::isHeartbeat)
			.allMatch((write) -> isMet(write) && this.heartbeats.containsKey(write.next().heartbeat()));
	}

	private boolean isMet(ConditionalWrite write) {
		return seen(write.election()).equals(write.expected())
				&& write.expectedHeartbeat().filter((expected) -> !heartbeat(expected.id()).equals(expected)).isEmpty();
	}

	HeartbeatSnapshot heartbeat(String id) {
		return new HeartbeatSnapshot(id, this.heartbeats.get(id));
	}

	void beat(String id) {
		this.lock.lock();
		this.heartbeats.put(id, ++this.version);
		this.lock.unlock();
	}

	void endHeartbeats() {
		this.lock.lock();
		this.heartbeats.clear();
		this.lock.unlock();
	}

	private RecordSnapshot seen(String election) {
		return this.records.getOrDefault(election, new RecordSnapshot.Absent());
	}

	/** Writes past the store. */
	void put(String election, LeaseRecord record) {
		this.records.put(election, new Present(record, ++this.version));
	}

	void putGarbage(String election) {
		this.records.put(election,
				new RecordSnapshot.Unreadable("The record of '%s'".formatted(election), ++this.version));
	}

	LeaseRecord record(String election) {
		return ((Present) seen(election)).record();
	}

	@Override
	public void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit) {
		answered(limit, () -> {
			if (this.standByFails) {
				throw new LeaseStoreException("Nobody may stand by");
			}
			this.standBys++;
			return this.standing.put(node, elections);
		});
	}

	@Override
	public List<Owner> candidates(String election, Duration limit) {
		return answered(limit,
				() -> this.standing.keySet()
					.stream()
					.filter((node) -> this.standing.get(node).contains(election))
					.toList());
	}

	private <T> T answered(Duration limit, Supplier<T> answer) {
		this.lock.lock();
		try {
			long nanos = limit.toNanos();
			while (this.paused) {
				if (nanos <= 0) {
					throw new LeaseStoreException("Paused");
				}
				nanos = this.resumed.awaitNanos(Math.min(nanos, TimeUnit.MILLISECONDS.toNanos(100)));
			}
			return answer.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LeaseStoreException("Interrupted", ex);
		}
		finally {
			this.lock.unlock();
		}
	}

	void pause(boolean pause) {
		this.lock.lock();
		this.paused = pause;
		this.resumed.signalAll();
		this.lock.unlock();
	}

	void clear() {
		this.lock.lock();
		this.records.clear();
		this.heartbeats.clear();
		this.lock.unlock();
	}

	/** Has something done once, between the look and the write that follows it. */
	void beforeNextWrite(Runnable action) {
		this.beforeNextWrite.set(action);
	}

	/** Writes, but lets the answers get lost. */
	void swallowAnswers(boolean swallow) {
		this.answers = swallow ? (answer) -> new Unknown(new LeaseStoreException("Lost")) : UnaryOperator.identity();
	}

	/** Lets the answer to every second write get lost. */
	void swallowEverySecondAnswer() {
		this.answers = (answer) -> (this.writes % 2 == 0) ? new Unknown(new LeaseStoreException("Lost")) : answer;
	}

	void letStandByFail(boolean fails) {
		this.standByFails = fails;
	}

	int reads() {
		return this.reads;
	}

	int writes() {
		return this.writes;
	}

	int standBys() {
		return this.standBys;
	}

}
