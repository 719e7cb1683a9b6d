package io.leaderelection.test.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.leaderelection.store.Owner;

/**
 * A machine: its clocks, its link to the store, and the process that runs on it.
 */
final class SimulatedNode {

	private final World world;

	private final String id;

	private final SimulatedClock clock;

	private final Supplier<SimulatedProcess> processes;

	private final List<Runnable> deferred = new ArrayList<>();

	private SimulatedProcess process;

	private int runs;

	private boolean paused;

	private boolean suspended;

	private boolean cutOff;

	private long lastTrouble;

	private long lastWallJump = Long.MIN_VALUE / 2;

	private long lastSuspension = Long.MIN_VALUE / 2;

	SimulatedNode(World world, String id, SimulatedClock clock,
			BiFunction<SimulatedNode, Supplier<Owner>, SimulatedProcess> processes) {
		this.world = world;
		this.id = id;
		this.clock = clock;
		this.processes = () -> processes.apply(this, this::newOwner);
		this.process = this.processes.get();
	}

	String id() {
		return this.id;
	}

	SimulatedClock clock() {
		return this.clock;
	}

	SimulatedProcess process() {
		return this.process;
	}

	boolean isPaused() {
		return this.paused;
	}

	boolean isCutOff() {
		return this.cutOff;
	}

	boolean isRunning() {
		return this.process.isAlive() && !this.process.isStopping();
	}

	/** When something last went wrong that may cost this node its leadership. */
	long lastTrouble() {
		return this.lastTrouble;
	}

	void troubled(long until) {
		this.lastTrouble = Math.max(this.lastTrouble, this.world.now() + until);
	}

	void deliver(Runnable action) {
		if (this.paused) {
			this.deferred.add(action);
		}
		else {
			action.run();
		}
	}

	void restart() {
		this.process.kill();
		this.deferred.clear();
		this.process = this.processes.get();
		deliver(this.process::start);
	}

	/**
	 * Brings a process back that was saved when it had stopped, on a machine whose clocks
	 * show something else.
	 */
	void restore(long monotonicMillis, long wallMillis) {
		this.clock.replace(monotonicMillis, wallMillis);
		this.process.startAgain();
	}

	void kill() {
		this.process.kill();
	}

	void pause() {
		this.paused = true;
		troubled(0);
	}

	/**
	 * Both of a machine's clocks cannot fail together: P2 has two witnesses, not three.
	 */
	boolean maySuspend(long lease) {
		return this.world.now() - this.lastWallJump > 2 * lease;
	}

	void suspend() {
		pause();
		this.suspended = true;
		this.clock.suspend();
	}

	void resume() {
		this.paused = false;
		troubled(0);
		if (this.suspended) {
			this.suspended = false;
			this.lastSuspension = this.world.now();
			this.clock.resume();
		}
		List<Runnable> actions = List.copyOf(this.deferred);
		this.deferred.clear();
		actions.forEach((action) -> this.world.in(0, () -> deliver(action)));
	}

	void setCutOff(boolean cutOff) {
		this.cutOff = cutOff;
		troubled(0);
	}

	boolean mayJump(long lease) {
		return !this.suspended && this.world.now() - this.lastSuspension > 2 * lease;
	}

	void jumpWallClock(long millis) {
		this.lastWallJump = this.world.now();
		troubled(0);
		this.clock.jump(millis);
	}

	private Owner newOwner() {
		return new Owner(this.id, "run-" + (++this.runs));
	}

}
