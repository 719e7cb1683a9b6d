package io.leaderelection.chaos.history;

/**
 * What can go wrong, whom it may cost the leadership, and how long nobody may lead after
 * it. A kind that is not injected happens by itself, and explains a gap like the others.
 */
public enum FaultKind {

	/** All nodes start, on a store that knows nothing. */
	START("start of all nodes", true, (fault, bounds) -> fault.ended() + bounds.lease()),

	/** The process gets no processor, for no reason that the run has given. */
	STALL("stall of the machine", false, (fault, bounds) -> fault.ended() + bounds.lease()),

	/** SIGKILL; the node is started again. */
	KILL("SIGKILL", false, (fault, bounds) -> fault.begun() + bounds.lease()),

	/** SIGTERM; the node is started again. */
	TERMINATE("SIGTERM", false, (fault, bounds) -> fault.begun()),

	/** SIGSTOP, and SIGCONT later. */
	STOP("SIGSTOP", false, FaultKind::whileItLasts),

	/** SIGSTOP between the reading of the token and the write with it. */
	PAUSED_WRITE("SIGSTOP in a fenced write", false, FaultKind::whileItLasts),

	/** All connections of a node to the store are reset. */
	RESET("connections reset", false, (fault, bounds) -> fault.begun() + bounds.lease()),

	/** Nothing passes between a node and the store, and nobody is told. */
	HALF_OPEN("connections half-open", false, FaultKind::whileItLasts),

	/** What passes between a node and the store takes its time. */
	DELAY("delay and jitter", false, (fault, bounds) -> fault.ended() + bounds.lease()),

	/** The store ends and starts again. */
	STORE_RESTART("store restart", true, FaultKind::untilClientsAreBack),

	/** SIGSTOP of the store, and SIGCONT later. */
	STORE_PAUSE("store pause", true, FaultKind::untilClientsAreBack),

	/** FLUSHALL. */
	DATA_LOSS("FLUSHALL", true, FaultKind::untilClientsAreBack),

	/** The master is killed and a replica takes its place. */
	PROMOTION("replica promotion", true, FaultKind::untilClientsAreBack),

	/** The leading server of the ensemble is killed, and started again later. */
	LEADER_CHANGE("ZooKeeper leader change", true, FaultKind::untilClientsAreBack),

	/** The wall clock of a node is set to another time. */
	CLOCK_JUMP("wall-clock jump", false, (fault, bounds) -> fault.ended() + bounds.lease());

	private final String label;

	private final boolean ofAll;

	private final Reach reach;

	FaultKind(String label, boolean ofAll, Reach reach) {
		this.label = label;
		this.ofAll = ofAll;
		this.reach = reach;
	}

	/**
	 * The name for people.
	 * @return the label
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Whether a run can inject it.
	 * @return {@code false} for what happens by itself
	 */
	public boolean isInjected() {
		return this != START && this != STALL;
	}

	/** Whether the process of the target does nothing meanwhile. */
	boolean stops() {
		return this == STOP || this == PAUSED_WRITE;
	}

	/** Whether all processes feel it, and not its target alone. */
	boolean isOfAll() {
		return this.ofAll;
	}

	/** Until when nobody may lead because of the fault, by a quick machine. */
	long reach(Fault fault, Bounds bounds) {
		return this.reach.of(fault, bounds);
	}

	/** A process that stands still may hold a lock that its successor needs. */
	private static long whileItLasts(Fault fault, Bounds bounds) {
		return fault.begun() + Math.max(bounds.lease(), fault.length());
	}

	/**
	 * Clients try to connect less and less often while the store is away, and a store
	 * that may have forgotten a lease waits it out.
	 */
	private static long untilClientsAreBack(Fault fault, Bounds bounds) {
		return fault.ended() + fault.length() + 2 * bounds.lease();
	}

	private interface Reach {

		long of(Fault fault, Bounds bounds);

	}

}
