package io.leaderelection.test.simulation;

import java.time.Clock;

import io.leaderelection.ElectionSettings;
import io.leaderelection.engine.Callbacks;
import io.leaderelection.engine.NodeClock;
import io.leaderelection.engine.StoreAccess;
import io.leaderelection.store.LeaseStore;
import io.leaderelection.store.WakeUps;
import io.leaderelection.store.memory.InMemoryLeaseStore;

/**
 * Breaks a rule on purpose, between the engine and its world. A simulator that does not
 * notice is not testing the rule. One object serves one run.
 */
public interface Tampering {

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

}
