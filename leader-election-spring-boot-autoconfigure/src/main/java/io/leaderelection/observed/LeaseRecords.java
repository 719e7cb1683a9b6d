package io.leaderelection.observed;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.LeaseStoreException;
import io.leaderelection.store.Owner;

/**
 * Where records are kept: what a backend implements for {@link ObservedLeaseStore}. Reads
 * and writes of one record are linearizable; no clock is asked.
 *
 * <p>
 * Each call is given the time that it may take, throws a {@link LeaseStoreException} if
 * it has no answer by then, and repeats within it what was refused for the moment, such
 * as what is throttled. Calls may be made by several threads.
 */
public interface LeaseRecords extends AutoCloseable {

	/**
	 * Reads records as they are now, not as a replica has them.
	 * @param elections the elections, all distinct
	 * @param limit how long it may take
	 * @return what was seen, in the same order
	 */
	List<Sight> read(List<String> elections, Duration limit);

	/**
	 * Changes records, all under way together; what becomes of one is no matter to the
	 * others.
	 * @param writes the changes, of distinct elections
	 * @param limit how long it may take
	 * @return the answers in the same order
	 */
	List<WriteResult> write(List<ConditionalWrite> writes, Duration limit);

	/**
	 * Takes note, in place of what was noted before, of the elections that a node stands
	 * by for. For people and for transfers: no leadership rests on it, so wall clocks may
	 * decide when it is forgotten.
	 * @param node the node
	 * @param elections the elections; none if it stands for nothing any more
	 * @param duration when to forget it
	 * @param limit how long it may take
	 */
	void standBy(Owner node, Set<String> elections, Duration duration, Duration limit);

	/**
	 * Says who stands by.
	 * @param election the election
	 * @param limit how long it may take
	 * @return the nodes
	 */
	List<Owner> candidates(String election, Duration limit);

	/**
	 * Begins to show changes as they happen.
	 * @param watcher is shown them
	 * @return closed to end it; empty if this store shows none
	 */
	default Optional<LeaseStore.Watch> watch(Watcher watcher) {
		return Optional.empty();
	}

	/**
	 * Does without effect what {@link #read} and {@link #write} need, see
	 * {@link LeaseStore#rehearse}.
	 * @param owner who would hold leases
	 */
	default void rehearse(Owner owner) {
	}

	/**
	 * What this store cannot promise, see {@link LeaseStore#limits()}.
	 * @return a sentence for each limit
	 */
	default List<String> limits() {
		return List.of();
	}

	/**
	 * Lets go of what was made for these records.
	 */
	@Override
	default void close() {
	}

	/**
	 * Is shown changes. They may come late, doubled or not at all.
	 */
	interface Watcher {

		/**
		 * The record of an election was seen.
		 * @param election the election
		 * @param sight what was seen
		 */
		void saw(String election, Sight sight);

		/**
		 * Changes may have been missed.
		 */
		void mayHaveMissed();

	}

}
