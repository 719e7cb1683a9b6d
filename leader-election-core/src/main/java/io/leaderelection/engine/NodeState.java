package io.leaderelection.engine;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.leaderelection.Leadership;
import io.leaderelection.Ineligibility;
import io.leaderelection.store.Owner;

/**
 * What all elections of a node share: the owner of its leases, its clock, whether the
 * node is running, and why it must not be a candidate. Guarded by the engine's lock.
 */
final class NodeState {

	private final Supplier<Owner> owners;

	private final NodeClock clock;

	private final EngineLog log;

	private final List<Consumer<Leadership>> workListeners = new CopyOnWriteArrayList<>();

	private final Set<Ineligibility> ineligible = EnumSet.noneOf(Ineligibility.class);

	private Owner owner;

	private boolean running;

	private boolean stopping;

	private boolean duplicateNodeId;

	/**
	 * The state of a node that has not been started.
	 * @param owners supplies a new owner at each start, since the process may have been
	 * saved in between, and restored more than once
	 */
	NodeState(Supplier<Owner> owners, NodeClock clock, EngineLog log) {
		this.owners = owners;
		this.owner = owners.get();
		this.clock = clock;
		this.log = log;
	}

	String nodeId() {
		return this.owner.nodeId();
	}

	Owner owner() {
		return this.owner;
	}

	NodeClock clock() {
		return this.clock;
	}

	/** The monotonic clock. */
	long now() {
		return this.clock.nanos();
	}

	/** For people; nothing is decided by it. */
	Instant wallTime() {
		return Instant.ofEpochMilli(this.clock.wallMillis());
	}

	/** Called when work begins, also without the engine's lock. */
	List<Consumer<Leadership>> workListeners() {
		return this.workListeners;
	}

	void started() {
		this.running = true;
		this.duplicateNodeId = false;
		this.owner = this.owners.get();
	}

	void stopping() {
		this.stopping = true;
	}

	void stopped() {
		this.running = false;
		this.stopping = false;
	}

	/** Until the last lease is released or left to expire. */
	boolean isRunning() {
		return this.running;
	}

	/** Whether the elections of this node may become candidates. */
	boolean isActive() {
		return this.running && !this.stopping;
	}

	IllegalStateException notRunning() {
		return new IllegalStateException("The elections of '%s' are not running".formatted(nodeId()));
	}

	boolean isEligible() {
		return this.ineligible.isEmpty();
	}

	/** Why this node must not be a candidate. */
	Set<Ineligibility> ineligible() {
		return this.ineligible;
	}

	/** Another process keeps renewing a lease under the id of this node. */
	void foundDuplicate(String election) {
		if (!this.duplicateNodeId) {
			this.duplicateNodeId = true;
			this.log.duplicateNodeId(election);
		}
	}

}
