package io.leaderelection.test.simulation;

import java.time.Clock;
import java.util.function.LongSupplier;

import io.leaderelection.ElectionSettings;
import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;
import io.leaderelection.store.observed.ConditionalWrite;
import io.leaderelection.store.observed.LeaseRecords;

/**
 * Breaks a rule on purpose, between the engine and its world. A simulator that does not
 * notice is not testing the rule. One object serves one run.
 */
interface Tampering {

	/**
	 * Changes the settings of all nodes.
	 * @param settings the right settings
	 * @return the settings to use
	 */
	default ElectionSettings settings(ElectionSettings settings) {
		return settings;
	}

	/**
	 * Changes what a node reads from its clocks.
	 * @param clock the right clock
	 * @return the clock to use
	 */
	default NodeClock clock(NodeClock clock) {
		return clock;
	}

	/**
	 * Changes how a node makes its calls and hears their answers.
	 * @param access the right way
	 * @param clock the node's clock
	 * @return the way to use
	 */
	default StoreAccess access(StoreAccess access, NodeClock clock) {
		return access;
	}

	/**
	 * Changes how a node hears hints, and of the loss of its leases.
	 * @param wakeUps the right way
	 * @param clock the node's clock
	 * @return the way to use
	 */
	default WakeUps wakeUps(WakeUps wakeUps, NodeClock clock) {
		return wakeUps;
	}

	/**
	 * Changes how a node runs callbacks.
	 * @param callbacks the right way
	 * @return the way to use
	 */
	default Callbacks callbacks(Callbacks callbacks) {
		return callbacks;
	}

	/**
	 * Whether callbacks whose thread could not be started are tried again.
	 * @return {@code true} if they are
	 */
	default boolean retriesFailedThreads() {
		return true;
	}

	/**
	 * Whether a node learns that a fence has rejected its token.
	 * @return {@code true} if it does
	 */
	default boolean reportsRejectedTokens() {
		return true;
	}

	/**
	 * Changes the clock that keeps the store's tokens rising after a loss of data.
	 * @param clock the right clock
	 * @return the clock to use
	 */
	default Clock tokenClock(Clock clock) {
		return clock;
	}

	/**
	 * Changes how the store treats the calls of one node.
	 * @param store the right store
	 * @param records the records behind it
	 * @param clock the calling node's clock
	 * @return the store to use
	 */
	default LeaseStore store(LeaseStore store, InMemoryLeaseStore records, NodeClock clock) {
		return store;
	}

	/**
	 * Changes when a store without a clock accepts a write.
	 * @param write the write
	 * @param unchanged whether the record is as expected
	 * @param unbeaten whether the heartbeat of the lease that is taken over is as
	 * expected
	 * @return whether to accept it
	 */
	default boolean isMet(ConditionalWrite write, boolean unchanged, boolean unbeaten) {
		return unchanged && unbeaten;
	}

	/**
	 * Changes how the observed-time store of a node reaches its records.
	 * @param records the right way
	 * @param clock the node's clock
	 * @return the way to use
	 */
	default LeaseRecords records(LeaseRecords records, NodeClock clock) {
		return records;
	}

	/**
	 * Changes the clock by which an observed-time store measures how long records have
	 * been unchanged.
	 * @param clock the node's clock
	 * @return the clock to use, in nanoseconds
	 */
	default LongSupplier observationClock(NodeClock clock) {
		return clock::nanos;
	}

}
