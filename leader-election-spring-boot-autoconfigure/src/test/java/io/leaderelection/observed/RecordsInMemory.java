package io.leaderelection.observed;

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

import io.leaderelection.observed.Sight.Present;
import io.leaderelection.observed.WriteResult.ChangedSince;
import io.leaderelection.observed.WriteResult.Unknown;
import io.leaderelection.observed.WriteResult.Written;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * Records in this process, which can be changed, lost and kept from being answered.
 */
final class RecordsInMemory implements LeaseRecords {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition resumed = this.lock.newCondition();

	private final Map<String, Sight> records = new HashMap<>();

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
	public List<Sight> read(List<String> elections, Duration limit) {
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
			for (ConditionalWrite write : writes) {
				this.writes++;
				results.add(this.answers.apply(write(write)));
			}
			return results;
		});
	}

	private WriteResult write(ConditionalWrite write) {
		if (!seen(write.election()).equals(write.seen())) {
			return new ChangedSince();
		}
		put(write.election(), write.next());
		return new Written(this.version);
	}

	private Sight seen(String election) {
		return this.records.getOrDefault(election, new Sight.Nothing());
	}

	/** Writes past the store. */
	void put(String election, LeaseRecord record) {
		this.records.put(election, new Present(record, ++this.version));
	}

	void putGarbage(String election) {
		this.records.put(election, new Sight.Unreadable("The record of '%s'".formatted(election), ++this.version));
	}

	LeaseRecord record(String election) {
		return ((Present) seen(election)).record();
	}

	@Override
	public void standBy(Owner node, Set<String> elections, Duration duration, Duration limit) {
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
