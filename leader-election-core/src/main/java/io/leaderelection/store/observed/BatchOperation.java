package io.leaderelection.store.observed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.observed.RecordSnapshot.Present;
import io.leaderelection.store.observed.WriteResult.Conflict;
import io.leaderelection.store.observed.WriteResult.Unknown;
import io.leaderelection.store.observed.WriteResult.Written;

/**
 * A batch of requests, which is answered in rounds: the records of the open requests are
 * read together, and what is decided from them is written together. A request whose write
 * fails because of a change since the read stays open for the next round.
 */
abstract class BatchOperation {

	private final ObservedLeaseStore store;

	private final CallLimit limit;

	private final TreeSet<Integer> open;

	private final Map<Integer, ConditionalWrite> writes = new LinkedHashMap<>();

	BatchOperation(ObservedLeaseStore store, CallLimit limit, int size) {
		this.store = store;
		this.limit = limit;
		this.open = new TreeSet<>(IntStream.range(0, size).boxed().toList());
	}

	/**
	 * Runs the batch.
	 * @return the requests that are still open
	 */
	final List<Integer> run(int mostRounds) {
		List.copyOf(this.open).forEach(this::begin);
		send();
		for (int round = 0; round < mostRounds && !this.open.isEmpty(); round++) {
			List<Integer> indexes = List.copyOf(this.open);
			List<RecordSnapshot> snapshots = this.store.reader()
				.read(indexes.stream().map(this::election).toList(), this.limit);
			for (int k = 0; k < indexes.size(); k++) {
				decide(indexes.get(k), snapshots.get(k));
			}
			send();
		}
		return List.copyOf(this.open);
	}

	abstract String election(int index);

	/** Answers or writes without reading, if the record is known. */
	abstract void begin(int index);

	/** Answers or writes, based on the record as it was just read. */
	abstract void decide(int index, RecordSnapshot snapshot);

	/**
	 * Answers a request whose write was successful.
	 * @param written the record
	 * @param sentAt when the write was sent, or earlier
	 */
	abstract void written(int index, Present written, long sentAt);

	/** The write of a request failed because of a change since the read. */
	void conflict(int index, ConditionalWrite write) {
	}

	final ObservedLeaseStore store() {
		return this.store;
	}

	final CallLimit limit() {
		return this.limit;
	}

	final void answered(int index) {
		this.open.remove(index);
	}

	final void write(int index, RecordSnapshot expected, Optional<HeartbeatSnapshot> heartbeat, LeaseRecord next) {
		this.writes.put(index, new ConditionalWrite(election(index), expected, heartbeat, next));
	}

	/** What was written is reported before a write that failed ends the call. */
	private void send() {
		if (this.writes.isEmpty()) {
			return;
		}
		Map<Integer, ConditionalWrite> sent = new LinkedHashMap<>(this.writes);
		this.writes.clear();
		long sentAt = this.store.now();
		List<WriteResult> results = this.store.records().write(List.copyOf(sent.values()), this.limit.remaining());
		List<Unknown> unknown = new ArrayList<>();
		int next = 0;
		for (Map.Entry<Integer, ConditionalWrite> entry : sent.entrySet()) {
			WriteResult result = results.get(next++);
			if (result instanceof Written success) {
				answered(entry.getKey());
				written(entry.getKey(), new Present(entry.getValue().next(), success.version()), sentAt);
			}
			else if (result instanceof Conflict) {
				conflict(entry.getKey(), entry.getValue());
			}
			else if (result instanceof Unknown failure) {
				unknown.add(failure);
			}
		}
		if (!unknown.isEmpty()) {
			throw new LeaseStoreException("%d of %d writes failed: %s".formatted(unknown.size(), results.size(),
					unknown.get(0).cause().getMessage()), unknown.get(0).cause());
		}
	}

}
