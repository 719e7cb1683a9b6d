package io.leaderelection.observed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import io.leaderelection.observed.WriteResult.Unknown;
import io.leaderelection.observed.WriteResult.Written;
import io.leaderelection.store.LeaseStoreException;

/**
 * Writes that are sent together, each by the place of what it answers. What was written
 * is told before one that failed ends the call.
 */
final class Writing {

	private final LeaseRecords records;

	private final LongSupplier nanos;

	private final Map<Integer, ConditionalWrite> writes = new LinkedHashMap<>();

	Writing(LeaseRecords records, LongSupplier nanos) {
		this.records = records;
		this.nanos = nanos;
	}

	void add(int place, ConditionalWrite write) {
		this.writes.put(place, write);
	}

	/**
	 * Sends all of them.
	 * @param written is told the place of each that was written, its version, and when it
	 * was sent
	 */
	void send(Limit limit, WrittenRecord written) {
		if (this.writes.isEmpty()) {
			return;
		}
		long sentAt = this.nanos.getAsLong();
		List<WriteResult> results = this.records.write(List.copyOf(this.writes.values()), limit.remaining());
		List<Unknown> unknown = new ArrayList<>();
		each(results, (place, result) -> {
			if (result instanceof Written success) {
				written.at(place, success.version(), sentAt);
			}
			else if (result instanceof Unknown failure) {
				unknown.add(failure);
			}
		});
		if (!unknown.isEmpty()) {
			throw new LeaseStoreException("%d of %d writes failed: %s".formatted(unknown.size(), results.size(),
					unknown.get(0).cause().getMessage()), unknown.get(0).cause());
		}
	}

	private void each(List<WriteResult> results, BiConsumer<Integer, WriteResult> consumer) {
		int i = 0;
		for (int place : this.writes.keySet()) {
			consumer.accept(place, results.get(i++));
		}
	}

	/**
	 * Is told of what was written.
	 */
	interface WrittenRecord {

		void at(int place, Object version, long sentAt);

	}

}
