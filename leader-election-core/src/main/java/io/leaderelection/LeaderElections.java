package io.leaderelection;

import java.lang.System.Logger;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.leaderelection.engine.runtime.DefaultLeaderElections;
import io.leaderelection.store.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * The elections of one node: named electors that share a store and two threads, and are
 * started and stopped together.
 */
public interface LeaderElections extends AutoCloseable {

	/**
	 * Prepares the elections of a node.
	 * @param store what the elections are decided by
	 * @return a builder
	 */
	static Builder on(LeaseStore store) {
		return new Builder(store);
	}

	/**
	 * This node's id, as given.
	 * @return the id
	 */
	String nodeId();

	/**
	 * The elector of the named election, made with the default settings if there is none
	 * yet.
	 * @param election the election's name
	 * @return its elector
	 */
	LeaderElector elector(String election);

	/**
	 * Makes the elector of the named election with settings of its own.
	 * @param election the election's name
	 * @param settings its settings
	 * @return its elector
	 * @throws IllegalStateException if the elector exists with other settings
	 */
	LeaderElector elector(String election, ElectionSettings settings);

	/**
	 * The elector of the named election, if it has been made.
	 * @param election the election's name
	 * @return its elector
	 */
	Optional<LeaderElector> find(String election);

	/**
	 * All electors, in the order they were made.
	 * @return the electors
	 */
	Collection<LeaderElector> electors();

	/**
	 * Runs the action for every elector, those made later included, which are not
	 * returned to whoever makes them before the action has returned.
	 * @param action what to run
	 * @return closed to end it
	 */
	Registration forEachElector(Consumer<LeaderElector> action);

	/**
	 * Runs the action whenever work begins under a leadership of this node, on the thread
	 * that does the work and before it: guarded calls,
	 * {@link LeaderElector#executeAsLeader}, and {@link LeaderElector#begin}. What it
	 * throws prevents the work.
	 * @param action what to run
	 * @return closed to end it
	 */
	Registration onWork(Consumer<Leadership> action);

	/**
	 * Runs the action after every call to the store that this node makes from now on,
	 * except those that begin or end a watch. On a thread that renewals do not need, in
	 * order.
	 * @param action what to run
	 * @return closed to end it. Elections that ask no store run nothing, as by default
	 */
	default Registration onStoreCall(Consumer<StoreCall> action) {
		return () -> {
		};
	}

	/**
	 * Begins to stand for all elections, those made later included. Returns at once: the
	 * store is asked in the background.
	 */
	void start();

	/**
	 * Begins to step down everywhere: no more work is admitted when this returns, and the
	 * rest happens in the background. May be called again, and before {@link #stop()}.
	 * @return completed when all leases are given up or their drain timeouts have passed;
	 * at once if this node stands for nothing
	 */
	CompletableFuture<Void> withdraw();

	/**
	 * Steps down everywhere, and returns when all leases are given up or their drain
	 * timeouts have passed. May be started again.
	 */
	void stop();

	/**
	 * Says that this node is not eligible to lead. It stands for no election, those made
	 * later included, while there is any such reason; what an operator pauses is another
	 * matter. May be called again, and while this node stands for nothing.
	 * @param reason why, and whether this node also steps down
	 * @return completed when all leases that this costs are given up, or their drain
	 * timeouts have passed
	 */
	CompletableFuture<Void> declareIneligible(Ineligibility reason);

	/**
	 * Says that this reason is over. This node stands again if it was the last one, save
	 * for what is paused.
	 * @param reason what is over
	 */
	void declareEligible(Ineligibility reason);

	/**
	 * Whether this node stands for its elections, or has not withdrawn from all of them
	 * yet.
	 * @return {@code true} from {@link #start()} until {@link #stop()} has returned or
	 * what {@link #withdraw()} returned is completed
	 */
	boolean isRunning();

	/**
	 * Does what {@link #stop()} does.
	 */
	@Override
	void close();

	/**
	 * Builds the elections of a node.
	 */
	final class Builder {

		private final LeaseStore store;

		private @Nullable String nodeId;

		private ElectionSettings settings = ElectionSettings.defaults();

		private @Nullable Logger logger;

		private Builder(LeaseStore store) {
			this.store = Objects.requireNonNull(store, "store");
		}

		/**
		 * Names this node for people. Two processes with the same id still do not share a
		 * lease, but nobody can tell them apart in a log, nor choose one for a transfer.
		 * @param nodeId the id
		 * @return this
		 */
		public Builder nodeId(String nodeId) {
			this.nodeId = Names.requireValid("nodeId", nodeId);
			return this;
		}

		/**
		 * Sets what holds for elections that bring no settings of their own.
		 * @param settings the settings
		 * @return this
		 */
		public Builder settings(ElectionSettings settings) {
			this.settings = Objects.requireNonNull(settings, "settings");
			return this;
		}

		/**
		 * Sets where transitions and trouble with the store are logged. Default: the
		 * platform's logger {@code io.leaderelection}, which {@code java.util.logging}
		 * may close before the last transition of a process that ends.
		 * @param logger the logger
		 * @return this
		 */
		public Builder logger(Logger logger) {
			this.logger = Objects.requireNonNull(logger, "logger");
			return this;
		}

		/**
		 * Builds the elections, not yet started.
		 * @return the elections
		 */
		public LeaderElections build() {
			if (this.nodeId == null) {
				throw new IllegalStateException("nodeId is missing: name this node, e.g. by its host name");
			}
			Logger log = (this.logger != null) ? this.logger : System.getLogger("io.leaderelection");
			return new DefaultLeaderElections(this.store, this.nodeId, this.settings, log);
		}

	}

}
