package io.leaderelection.store.observed;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * Where records are kept: what a backend implements for {@link ObservedLeaseStore}. Reads
 * and writes of one record are linearizable; no clock of the store is used.
 *
 * <p>
 * Each call is given the time that it may take, throws a {@link LeaseStoreException} if
 * it has no answer by then, and repeats within it what was rejected temporarily, such as
 * throttled requests. Calls may be made by several threads.
 */
public interface LeaseRecords extends AutoCloseable {

	/**
	 * Reads records as they are now, not as a replica has them.
	 * @param elections the elections, all distinct
	 * @param limit how long it may take
	 * @return the records in the same order
	 */
	List<RecordSnapshot> read(List<String> elections, Duration limit);

	/**
	 * Changes records, all at the same time. The result of one does not affect the
	 * others.
	 * @param writes the changes, of distinct elections
	 * @param limit how long it may take
	 * @return the answers in the same order
	 */
	List<WriteResult> write(List<ConditionalWrite> writes, Duration limit);

	/**
	 * Registers a node as a candidate for elections, and for no others. Called when the
	 * elections change, and otherwise twice in a lease. It serves people and transfers:
	 * no leadership depends on it, so wall clocks may decide when a registration ends.
	 * The write that grants a lease may end the registration of its new holder.
	 * @param node the node
	 * @param elections the elections; none if the node is a candidate for nothing
	 * @param duration when the registration ends, unless the store removes it with the
	 * node
	 * @param limit how long it may take
	 */
	void registerCandidate(Owner node, Set<String> elections, Duration duration, Duration limit);

	/**
	 * Returns the candidates of an election.
	 * @param election the election
	 * @param limit how long it may take
	 * @return the nodes
	 */
	List<Owner> candidates(String election, Duration limit);

	/**
	 * Begins to report changes as they happen.
	 * @param watcher receives them
	 * @return closed to end it; empty if this store reports none
	 */
	default Optional<LeaseStore.Watch> watch(Watcher watcher) {
		return Optional.empty();
	}

	/**
	 * What this store cannot promise, see {@link LeaseStore#limits()}.
	 * @return a sentence for each limit
	 */
	default List<String> limits() {
		return List.of();
	}

	/**
	 * Releases what was created for these records.
	 */
	@Override
	default void close() {
	}

	/**
	 * Receives changes. They may come late, twice or not at all.
	 */
	interface Watcher {

		/**
		 * The record of an election was read.
		 * @param election the election
		 * @param snapshot the record
		 */
		void saw(String election, RecordSnapshot snapshot);

		/**
		 * A heartbeat was read.
		 * @param heartbeat the heartbeat
		 */
		void sawHeartbeat(HeartbeatSnapshot heartbeat);

		/**
		 * The record of an election may be free, and another candidate is next in line.
		 * @param election the election
		 * @param turn how long to leave it to the other
		 */
		void mayBeFree(String election, Duration turn);

		/**
		 * Changes may have been missed.
		 */
		void mayHaveMissed();

	}

}
