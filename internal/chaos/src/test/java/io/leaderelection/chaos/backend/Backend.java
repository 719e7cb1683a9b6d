package io.leaderelection.chaos.backend;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaderelection.chaos.history.FaultKind;
import io.leaderelection.chaos.history.Writes;
import io.leaderelection.servers.TcpProxy;

/**
 * A store for elections, and the register that leaders write to.
 */
public interface Backend extends AutoCloseable {

	/**
	 * The ports of the servers of the store.
	 * @return one port for each server
	 */
	List<Integer> ports();

	/**
	 * What a node has to know to use the store and the register.
	 * @param links what stands before each server, for this node alone
	 * @return properties as {@code name=value}
	 */
	List<String> properties(List<TcpProxy> links);

	/**
	 * What can be done to the store.
	 * @return the faults that no node is the target of
	 */
	Map<FaultKind, StoreFault> faults();

	/**
	 * What is not done to its nodes, because more is not promised of it.
	 * @return the kinds of faults
	 */
	default Set<FaultKind> spared() {
		return Set.of();
	}

	/**
	 * What the register has accepted.
	 * @return one entry for each token
	 */
	List<Writes> writes();

	/**
	 * The versions of server and client, and what else is set differently from the
	 * defaults.
	 * @return a sentence for people
	 */
	String description();

	@Override
	void close();

	/**
	 * Something that can be done to a store, and undone.
	 */
	interface StoreFault {

		void begin() throws Exception;

		/** Returns when the store serves again. */
		default void end() throws Exception {
		}

	}

	/**
	 * A fault that is undone.
	 */
	record Undone(Action doing, Action undoing) implements StoreFault {

		@Override
		public void begin() throws Exception {
			this.doing.run();
		}

		@Override
		public void end() throws Exception {
			this.undoing.run();
		}

		/**
		 * May fail.
		 */
		interface Action {

			void run() throws Exception;

		}

	}

}
