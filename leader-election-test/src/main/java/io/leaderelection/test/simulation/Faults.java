package io.leaderelection.test.simulation;

import java.time.Duration;
import java.util.List;

import io.leaderelection.Ineligibility;
import io.leaderelection.engine.DefaultLeaderElector;
import io.leaderelection.store.memory.InMemoryLeaseStore.Snapshot;

/**
 * What goes wrong during a storm, and its healing afterwards.
 */
final class Faults {

	private final World world;

	private final SimulatedStore server;

	private final Referee referee;

	private final List<SimulatedNode> nodes;

	private final List<String> elections;

	private final Leases leases;

	/** Most faults last about this long. */
	private final long lease;

	private final boolean losesData;

	private long lastDataLoss = Long.MIN_VALUE / 2;

	private long lastEviction = Long.MIN_VALUE / 2;

	private long lastFailOver = Long.MIN_VALUE / 2;

	private boolean fenceRaised;

	private long stormEnds;

	private int injected;

	Faults(World world, SimulatedStore server, Referee referee, List<SimulatedNode> nodes, List<String> elections,
			Leases leases, boolean losesData) {
		this.world = world;
		this.server = server;
		this.referee = referee;
		this.nodes = nodes;
		this.elections = elections;
		this.leases = leases;
		this.lease = leases.shortest();
		this.losesData = losesData;
	}

	int injected() {
		return this.injected;
	}

	void begin(long stormEnds) {
		this.stormEnds = stormEnds;
		planNext();
	}

	private void planNext() {
		this.world.in(this.world.between(World.SECOND / 4, 6 * World.SECOND), () -> {
			if (this.world.now() < this.stormEnds) {
				inject();
				planNext();
			}
		});
	}

	/** Ends every fault, and brings every node back. */
	void heal() {
		this.server.setDown(false);
		this.server.resume();
		for (SimulatedNode node : this.nodes) {
			node.setCutOff(false);
			node.process().exhaustThreads(false);
			if (node.isPaused()) {
				node.resume();
			}
			if (!node.isRunning()) {
				node.restart();
			}
			for (int i = 0; i < this.elections.size(); i++) {
				node.process().election(i).resume();
			}
			for (Ineligibility reason : Ineligibility.values()) {
				node.process().declareEligible(reason);
			}
		}
	}

	private void inject() {
		this.injected++;
		SimulatedNode node = anyNode();
		double draw = this.world.random().nextDouble();
		if (draw < 0.42) {
			troubleNode(node, draw / 0.42);
		}
		else if (draw < 0.67) {
			troubleStore((draw - 0.42) / 0.25);
		}
		else if (draw < 0.75) {
			jumpWallClock(node);
		}
		else if (draw < 0.8) {
			trace("the session of %s ends".formatted(node.id()));
			node.process().endSession();
		}
		else {
			node.process().deliver(() -> operate(node, this.world.random().nextDouble()));
		}
	}

	private void troubleNode(SimulatedNode node, double draw) {
		long length = this.world.between(this.lease / 10, 3 * this.lease);
		if (draw < 0.25) {
			trace(node.id() + " is paused");
			pause(node, length, false);
		}
		else if (draw < 0.4) {
			trace(node.id() + " is suspended");
			pause(node, length, true);
		}
		else if (draw < 0.45) {
			trace(node.id() + " cannot start threads");
			SimulatedProcess process = node.process();
			process.exhaustThreads(true);
			this.world.in(Math.min(length, 2 * World.SECOND), () -> process.exhaustThreads(false));
		}
		else if (draw < 0.6) {
			trace(node.id() + " is cut off");
			node.setCutOff(true);
			this.world.in(length, () -> node.setCutOff(false));
		}
		else {
			boolean clean = draw < 0.75;
			trace(node.id() + (clean ? " is stopped" : " is killed"));
			if (clean) {
				node.process().deliver(node.process()::stop);
			}
			else {
				node.kill();
			}
			SimulatedProcess ended = node.process();
			boolean comesBack = clean && this.world.chance(0.5);
			this.world.in(comesBack ? length / 4 : length, () -> {
				if (node.process() == ended) {
					if (comesBack && ended.isAlive() && ended.hasStopped() && !node.isPaused()) {
						restore(node);
					}
					else {
						node.restart();
					}
				}
			});
		}
	}

	private void pause(SimulatedNode node, long length, boolean suspended) {
		if (node.isPaused() || (suspended && !node.maySuspend(this.leases.longest()))) {
			return;
		}
		if (suspended) {
			node.suspend();
		}
		else {
			node.pause();
		}
		this.world.in(length, () -> {
			if (node.isPaused()) {
				node.resume();
			}
		});
	}

	private void restore(SimulatedNode node) {
		long monotonicMillis = this.world.between(-100_000_000, 100_000_000);
		long wallMillis = this.world.between(-60_000, 60_000);
		trace("%s comes back on clocks that are %d ms and %d ms off".formatted(node.id(), monotonicMillis, wallMillis));
		node.restore(monotonicMillis, wallMillis);
	}

	private void jumpWallClock(SimulatedNode node) {
		if (node.mayJump(this.leases.longest())) {
			long most = this.world.chance(0.5) ? 5_000 : 7_200_000;
			long millis = this.world.between(-most, most);
			trace("the wall clock of %s jumps by %d ms".formatted(node.id(), millis));
			node.jumpWallClock(millis);
		}
	}

	private void troubleStore(double draw) {
		if (draw < 0.3) {
			trace("the store restarts");
			this.server.setDown(true);
			this.world.in(this.world.between(World.SECOND / 10, 2 * this.lease), () -> this.server.setDown(false));
		}
		else if (draw < 0.5) {
			trace("the store is paused");
			this.server.pause();
			this.world.in(this.world.between(World.SECOND / 10, 2 * this.lease), this.server::resume);
		}
		else if (draw < 0.7) {
			failOver();
		}
		else if (draw < 0.75 && !this.losesData && isLongAgo(this.lastFailOver)) {
			this.fenceRaised = true;
			int election = this.world.random().nextInt(this.elections.size());
			trace("the fence of %s is raised".formatted(this.elections.get(election)));
			this.referee.raiseFence(election);
		}
		else if (draw < 0.85 && isLongAgo(this.lastDataLoss)) {
			this.lastEviction = this.world.now();
			int election = this.world.random().nextInt(this.elections.size());
			trace("an operator frees " + this.elections.get(election));
			this.referee.evicted(election);
			this.server.evict(this.elections.get(election));
		}
		else if (this.losesData && isLongAgo(this.lastDataLoss) && isLongAgo(this.lastEviction)
				&& isLongAgo(this.referee.lastCreation())) {
			trace("the store loses its data");
			this.lastDataLoss = this.world.now();
			this.server.loseData();
		}
	}

	/**
	 * Data lost twice within a lease, or while somebody leads whose lease was taken away,
	 * is more than the engine promises to survive.
	 */
	private boolean isLongAgo(long time) {
		return this.world.now() - time > 2 * this.leases.longest();
	}

	/**
	 * A token ahead of the clock is known to the record and to the nodes that have seen
	 * it: a store that forgets it grants a lower one, which the fence rejects.
	 */
	private void failOver() {
		if (this.fenceRaised || this.server.recordServer() != null) {
			return;
		}
		this.lastFailOver = this.world.now();
		Snapshot replica = this.server.records().snapshot();
		this.world.in(this.world.between(0, 2 * World.SECOND), () -> {
			trace("the store fails over to a replica that lags");
			this.server.failOver(replica, Duration.ofNanos((long) (this.leases.longest() * 1.02)));
		});
	}

	private void operate(SimulatedNode node, double draw) {
		if (!node.isRunning()) {
			return;
		}
		DefaultLeaderElector election = node.process().election(this.world.random().nextInt(this.elections.size()));
		if (draw < 0.3) {
			election.stepDown(Duration.ofNanos(this.world.between(0, this.lease)));
		}
		else if (draw < 0.6) {
			election.transferTo(anyNode().id());
		}
		else if (draw < 0.7) {
			SimulatedProcess process = node.process();
			election.pause();
			this.world.in(this.world.between(0, 2 * this.lease), () -> process.deliver(election::resume));
		}
		else if (draw < 0.8) {
			declareIneligible(node.process(),
					this.world.chance(0.5) ? Ineligibility.UNHEALTHY : Ineligibility.NOT_READY);
		}
		else {
			election.attempt();
		}
	}

	private void declareIneligible(SimulatedProcess process, Ineligibility reason) {
		trace("%s is declared ineligible: %s".formatted(process.name(), reason));
		process.declareIneligible(reason);
		this.referee.declaredIneligible(process, reason);
		this.world.in(this.world.between(0, 2 * this.lease),
				() -> process.deliver(() -> process.declareEligible(reason)));
	}

	private SimulatedNode anyNode() {
		return this.nodes.get(this.world.random().nextInt(this.nodes.size()));
	}

	private void trace(String line) {
		this.world.trace(() -> "FAULT " + line);
	}

}
